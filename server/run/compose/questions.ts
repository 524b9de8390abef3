/** Questions to another process, which answers when it can. */
export interface Questions<Answer> {
  /** Undefined if the answer is late. */
  ask(send: (id: number) => unknown): Promise<Answer | undefined>
  answer(id: number, answer: Answer): void
}

export function questions<Answer>(withinMs: number): Questions<Answer> {
  const waiting = new Map<number, (answer: Answer) => void>()
  let asked = 0
  return {
    ask(send) {
      asked += 1
      const id = asked
      return new Promise((resolve) => {
        const late = setTimeout(() => {
          waiting.delete(id)
          resolve(undefined)
        }, withinMs)
        waiting.set(id, (answer) => {
          clearTimeout(late)
          resolve(answer)
        })
        send(id)
      })
    },
    answer(id, answer) {
      waiting.get(id)?.(answer)
      waiting.delete(id)
    },
  }
}
