import pytest

from langmarl.errors import ConfigError
from langmarl.prompts import PLACEHOLDERS, load_templates


def test_every_shipped_template_fills_with_what_it_may_hold():
    templates = load_templates()
    for name, placeholders in PLACEHOLDERS.items():
        prompt = templates.fill(name, **{placeholder: f"[{placeholder}]" for placeholder in placeholders})
        assert prompt.system
        assert "$" not in prompt.system + prompt.user


def test_material_with_dollar_signs_is_left_alone():
    prompt = load_templates().fill("aggregate", notes="costs $5, see $agent")
    assert prompt.user.startswith("costs $5, see $agent\n")


def test_a_file_replaces_the_shipped_template_and_changes_its_digest_only(tmp_path):
    (tmp_path / "aggregate.txt").write_text("[system]\nMerge.\n[user]\nHere: $notes", encoding="utf-8")
    templates, shipped = load_templates(tmp_path), load_templates()
    assert templates.fill("aggregate", notes="n").user == "Here: n"
    differing = {name for name, digest in templates.digests().items() if shipped.digests()[name] != digest}
    assert differing == {"aggregate"}


def test_every_fault_of_every_file_is_named(tmp_path):
    (tmp_path / "agregate.txt").write_text("[system]\nx\n[user]\n$notes", encoding="utf-8")
    (tmp_path / "gradient.txt").write_text("no parts", encoding="utf-8")
    (tmp_path / "update.txt").write_text("[system]\nx\n[user]\n$merged_notes", encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        load_templates(tmp_path)
    message = str(caught.value)
    assert "Did you mean 'aggregate'?" in message
    assert "gradient.txt" in message
    assert "[system]" in message
    assert "Did you mean 'merged_note'?" in message


def test_what_is_no_text_is_named_with_the_other_faults(tmp_path):
    (tmp_path / "critic_credit.txt").mkdir()
    (tmp_path / "gradient.txt").write_bytes(b"[system]\nx\n[user]\n\xff")
    (tmp_path / "judge.txt").symlink_to("judge.txt")
    (tmp_path / "update.txt").write_text("no parts", encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        load_templates(tmp_path)
    found = {fault.field: fault.message for fault in caught.value.faults}
    assert found["prompts_dir/critic_credit.txt"] == "is a directory; a template is a file."
    assert found["prompts_dir/gradient.txt"] == "is not UTF-8 text (byte 18)."
    assert "cannot be read" in found["prompts_dir/judge.txt"]
    assert "[system]" in found["prompts_dir/update.txt"]


def test_a_byte_order_mark_does_no_harm(tmp_path):
    (tmp_path / "aggregate.txt").write_text("\ufeff[system]\nMerge.\n[user]\n$notes", encoding="utf-8")
    assert load_templates(tmp_path).fill("aggregate", notes="n").system == "Merge."


def test_a_file_in_place_of_the_folder_is_called_one(tmp_path):
    (tmp_path / "judge.txt").write_text("x", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"prompts_dir: .* that is a file, not a directory"):
        load_templates(tmp_path / "judge.txt")


@pytest.mark.parametrize("name", ["missing", "empty"])
def test_a_folder_without_templates_is_refused(tmp_path, name):
    (tmp_path / "empty").mkdir()
    with pytest.raises(ConfigError, match="prompts_dir"):
        load_templates(tmp_path / name)
