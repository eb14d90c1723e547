"""Verbs that start an instruction."""

from __future__ import annotations

from langmarl.llm.offline.words import word_set

_IMPERATIVES = word_set("""
    abbreviate act add address admit aim allow amend analyse analyze announce answer apologise apologize append apply
    approach argue arrange ask assume attach avoid base be bear begin bother bound break bring build calculate call
    carry catch chat check choose cite clarify clean close collect combine come comment commit compare complete comply
    compose compress compute concentrate conclude condense confine confirm connect consider consult contain continue
    convert convey copy correct count cover create credit cross cut decide declare decline define deliver demand
    derive describe detail determine develop discard discuss display distrust divide do double double-check
    doublecheck draft draw drop dwell echo edit elaborate eliminate embed embellish emphasise emphasize employ end
    enforce ensure enter enumerate err establish estimate evaluate examine exclude execute expand expect explain
    explore express extend extract figure fill find finish fix focus follow forget form format formulate frame gather
    get give go grab ground guard guess guide halt hand handle have head hedge help highlight hint hold hunt identify
    ignore illustrate imagine implement include indicate infer inform insert insist inspect introduce invent
    investigate isolate jot judge jump justify keep label latch lay lead lean learn leave let limit link list locate
    look make map mark match mention merge mind mirror move name narrate narrow note number obey observe offer omit
    open organise organize outline output pad paraphrase parse pass paste pause phrase pick pin place plan point
    polish postpone preface prefer prefix prepare present preserve print prioritise prioritize proceed produce
    proofread propose prove provide pull pursue push put qualify quit quiz quote raise ramble read reason recall recap
    recheck recite recognise recommend reconsider record redo reduce refer refrain refuse refute reject relay rely
    remain remember remind remove reorder repeat rephrase replace reply report request resist resolve respond restate
    restrict retain rethink return reuse reveal revert review revise rewrite round run save say scan search see seek
    select send separate set settle shape share shorten show shun simplify skim skip solve sort specify speculate
    spell split stand start state stay steer step stick stop strip strive structure study submit substitute suggest
    summarise summarize supply support swap switch take talk tell test think throw tie title trace track transcribe
    translate treat trim trust try turn understand unify update use validate vary verify view waffle wait walk watch
    weigh welcome withhold wonder work write yield
    """)


_OBJECT_STARTS = word_set("the a an your every each all both it them any its their")
_NO_VERBS = word_set(
    """
    in on at by for from with to of into over under after before during through between against about without within
    and or but nor if when whenever while until unless since as than that which who whom whose what where how why is
    are was were be been being has have had does did will would can could may might shall should must not never only
    just even also both all half such quite rather instead like per via once because though you we they i it he she
    there here this these those whether across upon beside behind near among towards despite except around along above
    below inside outside beyond throughout given one two most many few some each every no yes
    """
)


def is_known_order(words: list[str]) -> bool:
    """Whether ``words`` start with a known verb in the form of an order ("quote", not "quotes")."""
    return bool(words) and words[0] in _IMPERATIVES


def starts_order(words: list[str]) -> bool:
    """Whether ``words``, as written but in lower case, start with an order.

    That is a known verb, or any other plain word with an object behind it ("salt the soup").
    """
    if is_known_order(words) or not words:
        return bool(words)
    plain = words[0] not in _NO_VERBS and not words[0].endswith(("s", "ing", "ed", "ly")) and words[0].isalpha()
    return plain and len(words) > 1 and words[1] in _OBJECT_STARTS
