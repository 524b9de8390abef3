import { instant, type Tx } from '@sightline/platform/db'
import type { StreamKey } from './run-log.ts'

/** Locks that `sum_recording_days` takes are numbered so; taken in order, two workers never wait for each other. */
const LOCKS = 64

interface Span {
  readonly start: number
  readonly end: number
}

/** Where runs of streams were written or removed in a transaction. */
export class SpansToSum {
  readonly #spans = new Map<string, StreamKey & Span>()

  add({ accountId, cameraId, stream }: StreamKey, { start, end }: Span): void {
    const key = `${accountId}/${cameraId}/${stream}`
    const before = this.#spans.get(key)
    this.#spans.set(key, {
      accountId,
      cameraId,
      stream,
      start: Math.min(start, before?.start ?? start),
      end: Math.max(end, before?.end ?? end),
    })
  }

  inLockOrder(): readonly (StreamKey & Span)[] {
    return [...this.#spans.values()].sort((a, b) => (a.cameraId % LOCKS) - (b.cameraId % LOCKS))
  }
}

/** Calls of the function in one statement. */
const BATCH = 100

/** Sums of days that changed, after all changes of the transaction. */
export async function sumDays(tx: Tx, spans: SpansToSum): Promise<void> {
  const all = spans.inLockOrder()
  for (let at = 0; at < all.length; at += BATCH) {
    await tx
      .selectNoFrom((eb) =>
        all
          .slice(at, at + BATCH)
          .map(({ accountId, cameraId, stream, start, end }, index) =>
            eb
              .fn('sum_recording_days', [
                eb.val(accountId),
                eb.val(cameraId),
                eb.val(stream),
                instant(start),
                instant(end),
              ])
              .as(`sum${index}`),
          ),
      )
      .execute()
  }
}
