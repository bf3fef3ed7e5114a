"""The files of the repository that a check of style reads."""
import pathlib
import subprocess


def tracked(root, kinds, skipped):
    """Names of tracked files with these endings, but for those that begin as `skipped` does; None without a repository."""
    try:
        names = subprocess.run(["git", "-C", root, "ls-files"], capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return None
    return [name for name in names.split("\n") if pathlib.PurePath(name).suffix in kinds and not name.startswith(skipped)
            and (root / name).is_file()]
