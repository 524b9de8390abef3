import type { IncomingMessage } from 'node:http'
import { readFields } from '../sign-in-pages/index.ts'

export interface SignInForm {
  readonly email: string
  readonly password: string
  /** Set on the page that asks the user to choose an account. */
  readonly userId: number | undefined
  /** Set on the page that asks for the second factor. */
  readonly code: string | undefined
  /** The passkey's response as JSON, filled in by a script. */
  readonly passkey: string | undefined
  /** The demo account that a guest wants to enter without a password. */
  readonly demonstration: number | undefined
}

const numberIn = (text: string | null): number | undefined =>
  text !== null && /^[1-9][0-9]{0,15}$/.test(text) ? Number(text) : undefined

/** The posted form; undefined if it is invalid or too long. */
export async function readForm(req: IncomingMessage): Promise<SignInForm | undefined> {
  const fields = await readFields(req)
  if (fields === undefined) return undefined
  return {
    email: (fields.get('email') ?? '').slice(0, 255),
    password: (fields.get('password') ?? '').slice(0, 128),
    userId: numberIn(fields.get('userId')),
    code: fields.get('code')?.slice(0, 64),
    passkey: fields.get('passkey') ?? undefined,
    demonstration: numberIn(fields.get('demonstration')),
  }
}
