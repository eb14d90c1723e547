"""Words that instructions to readers use, whatever they are about."""

from __future__ import annotations

from langmarl.llm.offline.instructions import concept, wording

ONLY = concept("only just alone nothing bare itself simply merely solely naked plain pure sole")
MATE = wording(
    """
    teammate; teammates; partner; partners; colleague; colleagues; peer; companion; predecessor; collaborator;
    co-worker; other agent; first agent; first speaker; previous agent; previous message; earlier message; earlier
    messages; messages so far; previous messages; agent 1; agent one; agent before; prior message; message above;
    first message; other agents; previous speaker; earlier speaker; said before you; spoke before you; speaks before
    you; came before you; went before you; comes before you; found before you; preceding message; preceding
    messages; team mate; agent who spoke; agent that spoke; speaker before; prior messages
    """
)
YES_NO_WORDS = concept(
    "yesno yes polar",
    "yes no",
    "closed question",
    "closed questions",
    "confirm or deny",
    "affirm or deny",
    "true or false",
    "asked whether",
    "asks whether",
    "whether something is so",
    "whether something is true",
    "whether something is the case",
    "whether something holds",
    "whether or not",
    "ask if something",
)
KIND = wording(
    """
    kind; type; sort; category; class; asks for; asked for; is asking; question wants; is wanted; being asked; wh
    word; question word; calls for; question asks; question requires; question demands; asking about; question
    seeks; question is after; asker wants; form of answer; nature of answer
    """
)
IN_SENTENCES = wording(
    """
    in full sentence; in full sentences; in complete sentence; in complete sentences; in sentence; in sentences; as
    sentence; as full sentence; sentence around; sentences around; into sentence; full prose; whole sentences; full
    sentence answer; in whole sentence; in whole sentences; as complete sentence; into full sentence; into complete
    sentence; with full sentence; with sentence; with complete sentence; with whole sentence; in proper sentence; in
    proper sentences; inside sentence; as whole sentence
    """
)
FEW = wording(
    """
    one noun; single noun; one term; single term;
    one phrase; single phrase; noun phrase; short phrase; naked answer; few words; two words; one word; single word;
    handful of words; fewest words; fewest possible words; bare minimum; single name; bare name; bare date; name
    alone; answer alone; answer itself; bare answer; just answer; only answer; mere name; bare term; bare phrase;
    phrase alone; just name; only name; name only; name itself; name by itself; answer by itself; nothing around; on
    its own; stand alone; stands alone; naked name; bare fact; nothing added; add nothing; shortest form; shortest
    span; shortest phrase; exact span; exact answer; exact phrase; exact name; thing itself; fact itself; naked
    fact; answer and stop; answer and only; name and stop; name or date only; name or number only; name and only
    """
)
TITLE = wording(
    """
    title; titles; heading; headings; headline; name of passage; name of passages; passage name; passage names; name
    of article; name of source; name of document; which passage; what passage; which article; which text; which
    document; which paragraph; which passages; which source; what source; what article; comes from; come from; came
    from; taken from; is from; are from; was from; took it from; took them from; got it from; found it in; where you
    found; where it stands; where they stand; where you read; where you got; where you saw; where you took; where
    each; where every; where it is; where evidence; where quote; where sentence; where line; passage of origin;
    number of passage; passage number; name passage; name passages; name source; name article; name sources; name
    document; belongs to; belong to; passage it is from; passage it belongs; passage they belong
    """
)
