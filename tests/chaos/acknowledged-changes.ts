import { setTimeout as sleep } from 'node:timers/promises'
import { callApi } from '../signed-in.ts'

/** A field that is changed over and over, each time when the change before it was acknowledged. */
export interface ChangedField {
  readonly origin: string
  readonly token: string
  /** Below `/rest/v2.4/`. */
  readonly path: string
  readonly field: string
  /** The value number `n`, from 1 on. */
  readonly value: (n: number) => string
}

export interface Changes {
  readonly field: ChangedField
  /** How many were answered with 200; these must never be lost. */
  readonly acknowledged: () => number
  /** Answers that were neither 200 nor a broken connection. */
  readonly refusals: readonly string[]
  /** Ends after the change that is under way. */
  stop(): Promise<void>
  /** Resolves when it was stopped or the product is gone. */
  readonly over: Promise<void>
}

const REFUSED_PAUSE_MS = 100

/** Changes the field as fast as it is acknowledged, until stopped or until nobody answers. */
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
      // The status is the acknowledgement; a kill may take away the rest of the answer.
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

/** What the product says the field holds now. */
export async function currentValue({ token, path, field }: ChangedField, origin: string): Promise<string | null> {
  const { status, body } = await callApi<Record<string, string | null>>(origin, token, `GET ${path}`)
  if (status !== 200) throw new Error(`GET ${path} answered ${status}: ${JSON.stringify(body)}`)
  return body[field] ?? null
}
