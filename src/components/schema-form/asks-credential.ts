const CREDENTIAL =
  /pass[\s_-]?(?:w(?:or)?d|phrase|code)|secret|(?:^|[^a-z])(?:access|api|auth|bearer|refresh|session)?[\s_-]?tokens?(?:[^a-z]|$)|api[\s_-]?key|private[\s_-]?key|credential|(?:^|[^a-z])(?:pin|otp|cvv|cvc)(?:[^a-z]|$)|passwort|kennwort|密码|口令|密钥|كلمة المرور|كلمة السر/i

/** Words as names are written: `accessToken` is two. */
const BETWEEN_WORDS = /(?<=[a-z\d])(?=[A-Z])/g

/** Whether a name or a title asks for a password, a key or the like. */
export function asksCredential(...texts: readonly string[]): boolean {
  return texts.some((text) => CREDENTIAL.test(text.slice(0, 500).replace(BETWEEN_WORDS, '_')))
}
