import { parseTheme } from '@sightline/platform/brands'
import type { Tx } from '@sightline/platform/db'

const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')

/**
 * The logo of an account's brand for light backgrounds, as PNG. Undefined if it has none, or one in another format: uploaded ones become PNG,
 * and a file of the host isn't read.
 */
export async function loadBrandLogo(tx: Tx, accountId: number): Promise<Buffer | undefined> {
  const { theme } = await tx
    .selectFrom('accounts as a')
    .innerJoin('resellers as r', 'r.reseller_id', 'a.reseller_id')
    .select('r.theme')
    .where('a.account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  return readPngLogo(parseTheme({ theme }).logo)
}

function readPngLogo(logo: string | null): Buffer | undefined {
  const [, base64] = /^data:image\/png;base64,([A-Za-z0-9+/]+={0,2})$/.exec(logo ?? '') ?? []
  if (base64 === undefined) return undefined
  const png = Buffer.from(base64, 'base64')
  return png.subarray(0, PNG_SIGNATURE.length).equals(PNG_SIGNATURE) ? png : undefined
}
