import type { EncryptionContext } from '@sightline/platform/envelope-encryption'
import type { ExportKey } from './store.ts'

const placeOf =
  (column: string) =>
  ({ accountId, exportId }: ExportKey): EncryptionContext => ({ accountId, table: 'exports', row: exportId, column })

/** Where the password of a ZIP file is stored until the file is made. */
export const passwordPlace = placeOf('password_sealed')
/** Where the key of the file is stored. */
export const keyPlace = placeOf('key_sealed')
