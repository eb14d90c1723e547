import json

from langmarl.trajectory import Step, Trajectory


def test_a_trajectory_survives_its_json_form():
    episode = Trajectory({"id": 1}, [Step("agent_1", "saw", "did")], 0.5, {"em": 1.0})
    assert Trajectory.from_dict(json.loads(json.dumps(episode.to_dict()))) == episode


def test_plain_mappings_become_steps():
    episode = Trajectory({}, [{"agent_id": "agent_1", "observation": "saw", "action": "did"}], 0)
    assert episode.steps == [Step("agent_1", "saw", "did")]


def test_metadata_are_not_shared_between_episodes():
    one, other = Trajectory({}, [], 0), Trajectory({}, [], 0)
    one.metadata["seed"] = 1
    assert other.metadata == {}
