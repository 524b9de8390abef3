import { setTimeout as sleep } from 'node:timers/promises'
import { callApi } from '../signed-in.ts'

/** A field that is changed repeatedly, each time after the previous change was acknowledged. */
export interface ChangedField {
  readonly origin: string
  readonly token: string
  /** Path under `/rest/v2.4/`. */
  readonly path: string
  readonly field: string
  /** The `n`th value, from 1. */
  readonly value: (n: number) => string
}

export interface Changes {
  readonly field: ChangedField
  /** The number of changes answered with 200; these must never be lost. */
  readonly acknowledged: () => number
  /** Answers other than 200 and a broken connection. */
  readonly refusals: readonly string[]
  /** Stops after the change in progress. */
  stop(): Promise<void>
  /** Resolves when it is stopped or the product is gone. */
  readonly over: Promise<void>
}

const REFUSED_PAUSE_MS = 100

/** Changes the field as fast as changes are acknowledged, until stopped or until the product stops answering. */
export function keepChanging(field: ChangedField): Changes {
  let acknowledged = 0
  let isStopping = false
  const refusals: string[] = []
  const change = async () => {
    while (!isStopping) {
      const response = await fetch(`${field.origin}/rest/v2.4/${field.path}`, {
        method: 'PATCH',
        headers: { authorization: `Bearer ${field.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ [field.field]: field.value(acknowledged + 1) }),
      }).catch(() => undefined)
      if (response === undefined) return
      // The status is the acknowledgment; a kill may cut off the rest of the answer.
      if (response.status === 200) acknowledged += 1
      const text = await response.text().catch(() => '')
      if (response.status === 200) continue
      refusals.push(`${response.status} ${text}`)
      await sleep(REFUSED_PAUSE_MS)
    }
  }
  const over = change()
  return {
    field,
    acknowledged: () => acknowledged,
    refusals,
    over,
    async stop() {
      isStopping = true
      await over
    },
  }
}

/** The field's current value, according to the API. */
export async function currentValue({ token, path, field }: ChangedField, origin: string): Promise<string | null> {
  const { status, body } = await callApi<Record<string, string | null>>(origin, token, `GET ${path}`)
  if (status !== 200) throw new Error(`GET ${path} answered ${status}: ${JSON.stringify(body)}`)
  return body[field] ?? null
}
