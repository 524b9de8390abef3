import { fork } from 'node:child_process'

/** A helper process of a bench, so that it does not share a thread with the measurement. */
export interface Child<Question, Answer> extends AsyncDisposable {
  readonly pid: number
  ask(question: Question): Promise<Answer>
}

/** Starts a module that answers each message of its parent with one message, in order. */
export function startChild<Question extends object, Answer>(module: URL): Child<Question, Answer> {
  const child = fork(module, [], { env: {} })
  const ended = new Promise<void>((done) => child.once('exit', () => done()))
  return {
    pid: child.pid ?? 0,
    ask(question) {
      const { promise, resolve, reject } = Promise.withResolvers<Answer>()
      const gone = (code: number | null) => reject(new Error(`${module.pathname} ended with ${code}`))
      child.once('exit', gone)
      child.once('message', (answer: Answer) => {
        child.off('exit', gone)
        resolve(answer)
      })
      child.send(question)
      return promise
    },
    async [Symbol.asyncDispose]() {
      child.kill()
      await ended
    },
  }
}
