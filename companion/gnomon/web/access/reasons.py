"""Define the reasons for which access or a change to an account is refused, each with the key of its words."""

from enum import StrEnum


class SignInReason(StrEnum):
    """A reason: the key of its sentence in the words."""

    NAME_EMPTY = "access.name.empty"
    NAME_LONG = "access.name.long"
    NAME_SIGNS = "access.name.signs"
    NAME_MIXED = "access.name.mixed"
    NAME_LETTERS = "access.name.letters"
    NAME_TAKEN = "access.name.taken"
    SECRET_LONG = "access.secret.long"
    SECRET_SHORT = "access.secret.short"
    SECRET_SIGNS = "access.secret.signs"
    SECRET_SIMPLE = "access.secret.simple"
    SECRET_DIFFERENT = "access.secret.different"
    SECRET_WRONG = "access.secret.wrong"
    WRONG = "access.wrong"
    CODE_WRONG = "access.code.wrong"
    WAIT = "access.wait"
    BUSY = "access.busy"
    DEVICE_ROLE = "access.device.role"
    LAST_ADMIN = "access.last_admin"
    TOKEN_DAYS = "access.token.days"
    ROLE = "access.role.unknown"
    GONE = "access.gone"


class AccessError(RuntimeError):
    """Somebody is not let in, or something about people is not done.

    `field` is the field of the form that is wrong, empty for the form as a whole; `wait` the seconds until it may be
    tried again.
    """

    def __init__(self, why: SignInReason, field: str = "", wait: int = 0) -> None:
        super().__init__(why.value)
        self.why = why
        self.field = field
        self.wait = wait
