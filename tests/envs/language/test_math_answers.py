import pytest

from langmarl.envs.language.math_answers import Candidate, boxed_content, candidates, clean_latex, written_alike


@pytest.mark.parametrize(
    ("text", "content"),
    [
        (r"so $\boxed{42}$.", "42"),
        (r"\boxed{\frac{1}{2}}", r"\frac{1}{2}"),
        (r"first \boxed{1}, then \boxed{2}", "2"),
        (r"\boxed 7", "7"),
        (r"\boxed{ 3 }", "3"),
        (r"\boxed{\{1, 2\}}", r"\{1, 2\}"),
        (r"\boxed{5} and then \boxed{6", "5"),
        (r"\boxed{5} and then \boxed{}", "5"),
        (r"\boxed{", None),
        ("no box", None),
    ],
)
def test_last_whole_box_is_found(text, content):
    assert boxed_content(text) == content


def test_box_counts_alone():
    assert candidates("It is 12.\n\\boxed{13}\nOr 14?") == [Candidate("13", "latex")]


def test_gsm8k_mark_counts_where_there_is_no_box():
    assert candidates("16 - 3 = 13\n#### 13 \n\nThanks") == [Candidate("13", "latex")]


def test_heading_of_four_hashes_is_no_mark():
    assert candidates("#### Final answer\n13")[0] == Candidate("13", "words")


@pytest.mark.parametrize("piece", ["\\[", "$$ ", "\\boxed{", "\n", " is", "####", "\\text{", "^ {", "\\frac ", ": "])
def test_text_without_end_is_read_in_no_time(piece):
    # Each would take minutes if reading took time that grows with the square of the length.
    for candidate in candidates(piece * 200_000 + "x"):
        clean_latex(candidate.text)


def test_lines_are_tried_from_the_bottom():
    forms = [(candidate.text, candidate.form) for candidate in candidates("It is 12.\n\nThank you!")]
    assert forms == [("Thank you!", "words"), ("Thank you!", "words"), ("Thank you!", "prose"), ("It is 12.", "prose")]


def test_only_the_last_line_may_be_an_answer_in_words():
    words = [candidate.text for candidate in candidates("Evelyn\nBob") if candidate.form == "words"]
    assert words == ["Bob", "Bob"]


def test_bare_latex_is_taken_as_a_whole():
    assert Candidate(r"3\sqrt{2}", "latex") in candidates(r"The answer is 3\sqrt{2}.")
    assert Candidate(r"3\sqrt{2}", "latex") in candidates(r"The answer is $3\sqrt{2}$.")


def test_display_mathematics_over_several_lines_is_one_line():
    assert candidates("Hence\n$$\nx = 5\n$$")[-2].text == "$$ x = 5 $$"


def test_nothing_is_found_in_nothing():
    assert candidates("  \n ** \n") == []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (r"\left( 3, \frac{\pi}{2} \right)", r"(3,\dfrac{\pi}{2})"),
        (r"\text{Evelyn}", "evelyn"),
        (r"\text{(C)}", "C"),
        (r"90^\circ", "90"),
        (r"90^{\circ}", "90"),
        (r"10,\!080", "10080"),
        ("10{,}080", "10,080"),
        (r"\$32,\!348", "32348"),
        (r"\frac14", r"\frac{1}{4}"),
        (r"\frac 59", r"\frac{5}{9}"),
        ("$7$.", "7"),
        (r"15\%", "15%"),
    ],
)
def test_spelling_does_not_count(one, other):
    assert written_alike(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("15%", "15"), ("x", "X"), ("AB", "ab"), ("1.5", "15"), ("(3,4]", "(3,4)"), ("-3", "3"), ("", ""), ("12", "1 3")],
)
def test_meaning_counts(one, other):
    assert not written_alike(one, other)


def test_a_list_of_numbers_keeps_its_commas():
    assert clean_latex("3, 5, 7") == "3,5,7"
