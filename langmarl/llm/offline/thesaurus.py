"""Sets of everyday words that mean one thing; tasks build their cues from these and add their own."""

from __future__ import annotations

from langmarl.llm.offline.words import concept, wording

SHORT = wording(
    """
    short; brief; briefly; concise; concisely; terse; tersely; succinct; succinctly; compact; crisp; laconic; curt;
    minimal; minimalist; tight; snappy; pithy; bare; lean; telegraphic; brevity; shorter; shortest; briefest;
    conciseness; condensed; to the point; as few words as possible; little space; as little as; few characters;
    least words; in one breath; sticky note; one line; single line; few syllables; size of headline; economy of
    words; few words; a handful of words; a couple of words; word or two; one or two words; two or three words;
    three words; five words; one word; single word; no frills; at most; one liner; minimum of words; word count;
    keep it down
    """
)
LONG = wording(
    """
    long; lengthy; wordy; verbose; rambling; ramble; verbosity; elaborate; elaborately; detailed; expansive; longer;
    waffle; pad; padding; chatty; longwinded; windy; prose; essay; paragraph; paragraphs; verbosely; waffling;
    extended; filler; fluff; fleshed; long winded; at length; in detail; in full; many words; extra words; flesh
    out; more words; go on; drawn out; more detail; great detail; some detail; spelled out; plenty of words; lots of
    words
    """
)
SENTENCE = concept(
    "sentence sentences clause prose statement paragraph", "complete sentence", "full sentence", "whole sentence"
)
ANSWER = concept(
    "answer answers reply response respond output result solution conclusion verdict", "final message", "last message"
)
EXPLANATION = wording(
    """
    explain; explanation; explanations; elaborate; elaboration; justify; justification; reasoning; rationale;
    commentary; comment; comments; preamble; preface; introduction; intro; background; caveat; caveats; hedge;
    hedging; disclaimer; context; restate; restating; narration; narrate; reason; reasons; remark; remarks;
    disclaimers; embellish; embellishment; lecture; pleasantries; ceremony; discussion; discuss; thoughts; lead in;
    your thinking; train of thought; chain of thought; line of thought;
    thought process; your logic; line of argument; how you got there; how you arrived; how you get there;
    how you came to; why you think; show your work; walk through; talk through
    """
)
QUOTE = wording(
    """
    quote; quotes; quoting; quotation; cite; citing; citation; copy; copying; verbatim; excerpt; transcribe;
    reproduce; literally; literal; unchanged; unaltered; unedited; extract; paste; lift; recite; transcript;
    quotations; word for word; exact words; exact wording; original wording; original sentence; original sentences;
    original text; original words; original lines; what it says; what passage says; what text says; to the letter;
    letter for letter; exact sentence; exact sentences; exact text; exact line; exact lines; copy out; write out;
    pull out; own words of the passage; as written; as it stands; actual sentence; actual sentences; actual words;
    very sentence; very words; literal words; as printed
    """
)
PARAPHRASE = wording(
    """
    paraphrase; paraphrasing; reword; rephrase; summarise; summarize; summary; summaries; summarising; gist;
    overview; recap; digest; synopsis; rewording; own words; in your words; sum up
    """
)
TEAMMATE = wording(
    """
    teammate; teammates; partner; colleague; peer; companion; predecessor; agent; other; others; others'; earlier;
    previous; prior; teammates'; preceding; message; messages; team mate; fellow agent; other agent; first agent;
    first speaker; what came before; has been said; was said; already said; already found; already there; before
    you; came before; co worker
    """
)
CHECK = wording(
    """
    check; recheck; verify; verification; confirm; doublecheck; validate; inspect; review; audit; test; examine;
    reconsider; scrutinise; scrutinize; proofread; revisit; verifying; ensure; cross-check; double check; make sure;
    make certain; look again; look over; go over; second look; sanity check; cross check; be sure; see whether; see
    if; see that; ask yourself whether; hold against; test against; look back; prove to yourself; convince yourself;
    satisfy yourself; be certain; be convinced
    """
)
