/** Runs the work on each camera one after the other, in the order of the calls; different cameras don't wait for each other. */
export class CameraTurns {
  readonly #last = new Map<number, Promise<unknown>>()

  async run<T>(cameraId: number, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(cameraId)
    const done = (async () => {
      await before?.catch(() => undefined)
      return await work()
    })()
    this.#last.set(cameraId, done)
    try {
      return await done
    } finally {
      if (this.#last.get(cameraId) === done) this.#last.delete(cameraId)
    }
  }
}
