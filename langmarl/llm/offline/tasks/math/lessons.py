"""What the critic says: for every lesson what it saw, and what the agent should do, in several wordings."""

from __future__ import annotations

from langmarl.llm.offline.tasks.lesson import Lesson, Phrasebook

LESSONS: dict[str, Lesson] = {
    "box": Lesson(
        (
            "The result was reached but got lost among other numbers in the closing sentence.",
            "The message ended in a remark about the problem, so the wrong number was read as the team's answer.",
            "A reader could not tell which of the numbers in the last sentence was meant.",
        ),
        (
            "It should put the final answer alone in a box, \\boxed{}, at the very end.",
            "Its message should end with the final answer alone, in a box.",
            "It should put a box around the final answer and leave it alone at the end.",
        ),
        (
            "Nobody could misread the result. It should keep putting the final answer alone in a box.",
            "The close was clear. It should keep ending with the final answer alone in a box.",
        ),
    ),
    "workings": Lesson(
        (
            "It spoke about the problem in general and left no numbers that anyone could build on.",
            "Its message was a plan without a single value in it.",
            "Nothing it said could be used: no quantities and no results.",
        ),
        (
            "It should write out the quantities and each step with its value.",
            "It should write down all quantities and show the value of each step.",
            "The quantities should be written out, and so should each step with its value.",
        ),
        (
            "Its written working carried the team. It should keep writing the quantities and each step with its value.",
            "What stood there could be used. It should keep showing the quantities and the value of each step.",
        ),
    ),
    "units": Lesson(
        (
            "The quantities came in different units and were used as they stood.",
            "The numbers were put together although they were measured in different units.",
            "It calculated with one unit where the question was about another.",
        ),
        (
            "It should convert all quantities to the same unit before it calculates.",
            "It should check the unit of every quantity and convert all to the same unit.",
            "All quantities should be converted to the same unit first.",
        ),
        (
            "Its units matched. It should keep converting quantities to the same unit.",
            "The conversion was right. It should keep converting all quantities to the same unit.",
        ),
    ),
    "precedence": Lesson(
        (
            "The operations were done in the order in which they stand.",
            "A sum was formed before the product beside it.",
        ),
        (
            "It should respect the order of operations: multiplication before addition.",
            "It should follow the order of operations, with multiplication and division before addition.",
            "The order of operations should be respected: powers, then multiplication, then addition.",
        ),
        (
            "Products came first. It should keep respecting the order of operations.",
            "The expression was read properly. It should keep following the order of operations.",
        ),
    ),
    "small_cases": Lesson(
        (
            "The rule it used for counting was off: it counts one step too far, or every pair twice.",
            "The formula does not fit even the shortest version of this problem.",
        ),
        (
            "It should try the rule on a few small cases before it relies on it.",
            "It should try its rule for counting on small cases first.",
            "A rule for counting should be tried on a few small cases.",
        ),
        (
            "Its rule fitted. It should keep trying rules on small cases.",
            "The count was right. It should keep trying its rule on a few small cases.",
        ),
    ),
    "check": Lesson(
        (
            "A carry was lost in the arithmetic, and the rest rests on it.",
            "The method was right; one of the sums was not.",
        ),
        (
            "It should check all its arithmetic by doing it a second time.",
            "It should do its arithmetic a second time to check it.",
            "All arithmetic should be checked a second time.",
        ),
        (
            "The sums are right. It should keep checking its arithmetic a second time.",
            "Nothing was lost on the way. It should keep checking all arithmetic a second time.",
        ),
    ),
    "exact": Lesson(
        (
            "The value was rounded, and the rounded value is not the answer.",
            "A decimal approximation was given where the true value is a fraction.",
        ),
        (
            "It should give the exact value as a fraction in lowest terms.",
            "It should keep fractions exact and give them in lowest terms.",
            "An exact fraction in lowest terms should be given.",
        ),
        (
            "The value was exact. It should keep giving fractions in lowest terms.",
            "Nothing was rounded. It should keep giving the exact fraction in lowest terms.",
        ),
    ),
    "finish": Lesson(
        (
            "It stopped at an intermediate result.",
            "What it reported is a quantity on the way to the answer.",
            "The calculation ended one step short of what was wanted.",
        ),
        (
            "It should carry on through the last step, to what the question asks for.",
            "It should go through to the last step and give what the question asks for.",
            "It should carry the calculation through the last step, to what the question asks for.",
        ),
        (
            "It reached the end. It should keep going through the last step, to what the question asks for.",
            "It did not stop early. It should keep carrying on through the last step.",
        ),
    ),
    "teammate": Lesson(
        (
            "A teammate's working was there to be used, and it started again in its head.",
            "It answered on its own, as if nothing had been written before.",
            "It gave a number of its own making.",
        ),
        (
            "It should build on the working of its teammate and go on from there.",
            "It should build on what its teammate has worked out.",
            "It should go on from its teammate's working, and build on that.",
        ),
        (
            "It went on from what was there. It should keep building on the working of its teammate.",
            "The team's work came together. It should keep building on what its teammate has worked out.",
        ),
    ),
}
"""By the name of the habit that the lesson is about."""

WORDS = Phrasebook(LESSONS)
"""Puts these lessons into feedback."""
