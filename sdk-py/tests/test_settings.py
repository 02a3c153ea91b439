import logging
from pathlib import Path

import pytest

from sininho import SettingsError, Sininho
from sininho._core.settings import base_url, settings_from


@pytest.mark.parametrize(
    ("given", "want"),
    [
        ("https://sininho.example.com", "https://sininho.example.com/api/v1"),
        ("https://sininho.example.com/", "https://sininho.example.com/api/v1"),
        ("https://sininho.example.com/api/v1", "https://sininho.example.com/api/v1"),
        (" http://localhost:8080/api/v1/ ", "http://localhost:8080/api/v1"),
        ("https://example.com/sininho/api/v1", "https://example.com/sininho/api/v1"),
        ("http://[::1]:8080", "http://[::1]:8080/api/v1"),
    ],
)
def test_has_one_rule_for_urls(given: str, want: str) -> None:
    assert base_url(given) == want


@pytest.mark.parametrize(
    "given",
    [
        "",
        "sininho.example.com",
        "ftp://x",
        "https://",
        "https://ana:b@x",
        "https://x?a=b",
        "https://x/#a",
        "http://x:y",
        "http://x y",
    ],
)
def test_refuses_other_urls(given: str) -> None:
    with pytest.raises(SettingsError) as caught:
        base_url(given)
    assert "ana" not in str(caught.value)


def test_reads_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert settings_from(None, None, 2, 30).base_url == "http://localhost:8080/api/v1"
    file = tmp_path / "key"
    file.write_text("snh_live_file\n")
    file.chmod(0o600)
    monkeypatch.setenv("SININHO_URL", "https://x.example.com")
    monkeypatch.setenv("SININHO_API_KEY_FILE", str(file))
    assert settings_from(None, None, 2, 30).key == "snh_live_file"
    monkeypatch.setenv("SININHO_API_KEY", " snh_live_variable ")
    settings = settings_from(None, None, 2, 30)
    assert (settings.base_url, settings.key) == ("https://x.example.com/api/v1", "snh_live_variable")
    settings = settings_from("http://localhost", "snh_live_argument", 2, 30)
    assert (settings.base_url, settings.key) == ("http://localhost/api/v1", "snh_live_argument")
    assert "snh_live" not in repr(settings)


@pytest.mark.parametrize(("text", "reason"), [("", "is empty"), ("two words", "has 2 words"), (None, "No such file")])
def test_says_what_is_wrong_with_a_key_file(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, text: str | None, reason: str
) -> None:
    file = tmp_path / "key"
    if text is not None:
        file.write_text(text)
    monkeypatch.setenv("SININHO_API_KEY_FILE", str(file))
    with pytest.raises(SettingsError, match=f"SININHO_API_KEY_FILE: .*{reason}"):
        Sininho()


def test_warns_of_others_who_may_read_the_key(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file = tmp_path / "key"
    file.write_text("snh_live_file")
    file.chmod(0o644)
    monkeypatch.setenv("SININHO_API_KEY_FILE", str(file))
    with caplog.at_level(logging.WARNING, "sininho"):
        assert settings_from(None, None, 2, 30).key == "snh_live_file"
    assert "chmod 600" in caplog.text


@pytest.mark.parametrize(
    ("key", "retries", "timeout"), [("", 2, 30), ("a\nb", 2, 30), ("chave é", 2, 30), ("k", -1, 30), ("k", 2, 0)]
)
def test_refuses_other_settings(key: str, retries: int, timeout: float) -> None:
    with pytest.raises(SettingsError):
        Sininho("https://x.example.com", api_key=key, retries=retries, timeout=timeout)
