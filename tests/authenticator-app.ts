import { createHmac } from 'node:crypto'

const STEP_MS = 30_000

/** The current time step; its code is accepted until the end of the next one. */
export const presentStep = (): number => Math.floor(Date.now() / STEP_MS)

/**
 * The code that an authenticator app shows in a step for a typed key with spaces. A second implementation of RFC 6238, so
 * that the product is not tested against itself.
 */
export function computeCode(typedKey: string, step: number): string {
  let bits = ''
  for (const letter of typedKey.replaceAll(' ', ''))
    bits += 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0')
  const key = Uint8Array.from({ length: Math.floor(bits.length / 8) }, (_, at) =>
    Number.parseInt(bits.slice(at * 8, at * 8 + 8), 2),
  )
  const counter = step.toString(16).padStart(16, '0')
  const digest = createHmac('sha1', key).update(Buffer.from(counter, 'hex')).digest('hex')
  const offset = Number.parseInt(digest.slice(-1), 16) * 2
  const number = Number.parseInt(digest.slice(offset, offset + 8), 16) % 0x80_00_00_00
  return String(number).slice(-6).padStart(6, '0')
}

/** Six digits that are not the code of any step around now. */
export function wrongCode(typedKey: string): string {
  const taken = [-2, -1, 0, 1, 2].map((away) => computeCode(typedKey, presentStep() + away))
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !taken.includes(code)) ?? ''
}
