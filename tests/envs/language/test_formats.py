import gzip
import hashlib
import json

import pytest

from langmarl.envs.language.formats import load_benchmark
from langmarl.errors import UserMistake
from tests.envs.language.shared_data import real_file

HOTPOT = {
    "_id": "5a76",
    "question": "Which river?",
    "answer": "Lene",
    "type": "bridge",
    "level": "hard",
    "supporting_facts": [["Morrow", 0]],
    "context": [["Morrow", ["Morrow lies on the Lene.", " It is old."]]],
}
MATH = {
    "problem": "What is 1 + 1?",
    "solution": r"It is $\boxed{2}$.",
    "answer": "2",
    "subject": "Algebra",
    "level": 1,
    "unique_id": "test/algebra/1.json",
}
GSM8K = {"question": "How much is 2,000 + 125?", "answer": "It is <<2000+125=2125>>2125.\n#### 2,125"}
HUMANEVAL = {
    "task_id": "HumanEval/0",
    "prompt": "def one():\n",
    "entry_point": "one",
    "canonical_solution": "    return 1\n",
    "test": "def check(candidate):\n    assert candidate() == 1\n",
}
WRITING = {"id": "w1", "prompt": "Write a note.", "requirements": ["Short", "Kind"]}


def write(tmp_path, *rows, name="tasks.jsonl"):
    path = tmp_path / name
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    return str(path)


def load(tmp_path, task_type, *rows, **options):
    return load_benchmark(task_type, write(tmp_path, *rows), **options).tasks


def without(row, *names):
    return {name: value for name, value in row.items() if name not in names}


def test_hotpotqa_as_published(tmp_path):
    path = tmp_path / "dev.json"
    path.write_text(json.dumps([HOTPOT]), encoding="utf-8")
    assert load_benchmark("qa", str(path)).tasks == [
        {
            "id": "5a76",
            "task_type": "qa",
            "question": "Which river?",
            "answer": "Lene",
            "context": [["Morrow", ["Morrow lies on the Lene.", " It is old."]]],
            "type": "bridge",
        }
    ]


def test_hotpotqa_with_its_context_in_columns(tmp_path):
    columns = {"title": ["Morrow"], "sentences": [["Morrow lies on the Lene.", " It is old."]]}
    row = without(HOTPOT, "_id") | {"id": "5a76", "context": columns}
    assert load(tmp_path, "qa", row) == load(tmp_path, "qa", HOTPOT)


def test_math_as_published(tmp_path):
    (task,) = load(tmp_path, "math", MATH)
    assert (task["id"], task["problem"], task["answer"]) == ("test/algebra/1.json", "What is 1 + 1?", "2")


def test_math_without_an_answer_takes_the_box_of_its_solution(tmp_path):
    (task,) = load(tmp_path, "math", without(MATH, "answer"))
    assert task["answer"] == "2"


def test_gsm8k_as_published(tmp_path):
    (task,) = load(tmp_path, "math", GSM8K)
    assert (task["problem"], task["answer"]) == ("How much is 2,000 + 125?", "2125")
    assert "####" not in task["solution"]


def test_humaneval_as_published(tmp_path):
    path = tmp_path / "HumanEval.jsonl.gz"
    path.write_bytes(gzip.compress(json.dumps(HUMANEVAL).encode()))
    (task,) = load_benchmark("coding", str(path)).tasks
    assert task == {
        "id": "HumanEval/0",
        "task_type": "coding",
        "prompt": "def one():\n",
        "entry_point": "one",
        "tests": HUMANEVAL["test"],
        "canonical_solution": "    return 1\n",
    }


def test_own_format_of_each_type(tmp_path):
    coding = without(HUMANEVAL, "test", "task_id") | {"id": "c1", "tests": HUMANEVAL["test"]}
    assert load(tmp_path, "coding", coding)[0]["tests"] == HUMANEVAL["test"]
    assert load(tmp_path, "writing", WRITING) == [{"task_type": "writing", **WRITING}]
    assert load(tmp_path, "math", {"id": "m1", "problem": "1 + 1", "answer": 2})[0]["answer"] == "2"
    assert load(tmp_path, "qa", without(HOTPOT, "_id", "type") | {"id": 7})[0]["id"] == "7"


@pytest.mark.parametrize(
    ("task_type", "row", "said"),
    [
        ("qa", without(HOTPOT, "answer"), "line 2: field 'answer' is missing"),
        ("qa", without(HOTPOT, "context"), "line 2: field 'context' is missing"),
        ("qa", HOTPOT | {"context": [["Morrow", "no list"]]}, "field 'context' must be a list of [title, [sentences]]"),
        ("qa", HOTPOT | {"context": {"title": ["a"], "sentences": []}}, "field 'context' must hold as many"),
        ("qa", HOTPOT | {"answer": True}, "field 'answer' must be a text"),
        ("qa", HOTPOT | {"question": 5}, "field 'question' must be a text that is not empty"),
        ("math", MATH | {"problem": 5}, "field 'problem' must be a text that is not empty"),
        ("qa", HOTPOT | {"question": "  "}, "field 'question' must be a text that is not empty"),
        ("math", without(MATH, "answer") | {"solution": "Two."}, "'answer' is missing, and there is no \\boxed{}"),
        ("math", GSM8K | {"answer": "It is 2."}, "field 'answer' must end in '#### '"),
        ("coding", without(HUMANEVAL, "entry_point"), "field 'entry_point' is missing"),
        ("coding", without(HUMANEVAL, "test"), "field 'tests' is missing"),
        ("coding", HUMANEVAL | {"entry_point": "os; x"}, "field 'entry_point' must be the name of a function"),
        ("writing", without(WRITING, "requirements"), "field 'requirements' is missing"),
        ("writing", WRITING | {"requirements": "Short"}, "field 'requirements' must be a list of texts"),
    ],
)
def test_fault_names_file_line_field_and_what_is_expected(tmp_path, task_type, row, said):
    good = {"qa": HOTPOT, "math": MATH, "coding": HUMANEVAL, "writing": WRITING}[task_type]
    with pytest.raises(UserMistake) as caught:
        load(tmp_path, task_type, good, row)
    assert str(caught.value).startswith(f"benchmark_path: {tmp_path}/tasks.jsonl, line 2: ")
    assert said in str(caught.value)
    assert f"Expected for task_type '{task_type}'" in str(caught.value)


@pytest.mark.parametrize(
    ("row", "fits"),
    [(HOTPOT, "qa"), (MATH, "math"), (GSM8K, "math"), (HUMANEVAL, "coding"), (WRITING, "writing")],
)
def test_wrong_task_type_is_told_which_fits(tmp_path, row, fits):
    for task_type in {"qa", "math", "coding", "writing"} - {fits}:
        with pytest.raises(UserMistake) as caught:
            load(tmp_path, task_type, row)
        assert f"line 1: this is a {fits} task, but task_type is '{task_type}'" in str(caught.value)
        assert f"Set task_type to '{fits}'" in str(caught.value)


def test_no_message_quotes_the_file(tmp_path):
    for task_type in ("qa", "math", "coding", "writing"):
        with pytest.raises(UserMistake) as caught:
            load(tmp_path, task_type, {"OPENAI_API_KEY": "sk-planted", "question": "sk-planted"})
        assert "planted" not in str(caught.value)
        assert "API_KEY" not in str(caught.value)


def test_tasks_without_a_name_are_named_by_their_content(tmp_path):
    other = GSM8K | {"question": "Another?"}
    first, second = load(tmp_path, "math", GSM8K, other)
    assert load(tmp_path, "math", other, GSM8K) == [second, first]
    assert first["id"] != second["id"]


def test_a_task_that_comes_twice_is_kept_once(tmp_path):
    assert len(load(tmp_path, "math", GSM8K, MATH, GSM8K)) == 2


def test_two_tasks_of_one_name_are_refused(tmp_path):
    with pytest.raises(UserMistake, match=r"line 2: has the same id as another task \(/.*/tasks\.jsonl, line 1\)"):
        load(tmp_path, "writing", WRITING, WRITING | {"prompt": "Write a letter."})


def test_data_limit_keeps_the_beginning(tmp_path):
    rows = [WRITING | {"id": f"w{number}"} for number in range(5)]
    assert [task["id"] for task in load(tmp_path, "writing", *rows, data_limit=2)] == ["w0", "w1"]


def test_file_without_tasks_is_refused(tmp_path):
    with pytest.raises(UserMistake, match="holds no task"):
        load(tmp_path, "qa")


def test_digests_are_by_file_name(tmp_path):
    path = write(tmp_path, WRITING)
    digest = hashlib.sha256((tmp_path / "tasks.jsonl").read_bytes()).hexdigest()
    assert load_benchmark("writing", path).digests == {"tasks.jsonl": digest}
    assert load_benchmark("writing", str(tmp_path)).digests == {"tasks.jsonl": digest}


@pytest.mark.parametrize(
    ("task_type", "file", "count"),
    [
        ("qa", "hotpotqa/hotpot_dev_distractor_sample100.json", 100),
        ("math", "math/math500.jsonl", 400),
        ("math", "gsm8k/test_200.jsonl", 200),
        ("coding", "humaneval/HumanEval.jsonl.gz", 164),
    ],
)
def test_real_benchmarks_load_whole(task_type, file, count):
    tasks = load_benchmark(task_type, str(real_file(file))).tasks
    assert len({task["id"] for task in tasks}) == count


@pytest.mark.parametrize("task_type", ["qa", "math", "coding", "writing"])
def test_shipped_sets_load_whole(task_type):
    benchmark = load_benchmark(task_type, None)
    assert len(benchmark.tasks) >= 20
    assert list(benchmark.digests) == [f"shipped/{task_type}.jsonl"]
