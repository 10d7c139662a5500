/** Answers whose message is remembered. */
const KEPT = 1_000

/** Ids of the messages that carry answers: the same answer is the same message, however often it is sent. */
export function createAnswerIds(): (answerId: string, makeId: () => string) => string {
  const messages = new Map<string, string>()
  return (answerId, makeId) => {
    const id = messages.get(answerId) ?? makeId()
    messages.set(answerId, id)
    const [oldest] = messages.keys()
    if (messages.size > KEPT && oldest !== undefined) messages.delete(oldest)
    return id
  }
}
