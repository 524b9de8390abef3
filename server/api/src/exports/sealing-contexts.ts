import type { EncryptionContext } from '@sightline/platform/envelope-encryption'
import type { ExportKey } from './store.ts'

const contextOf =
  (column: string) =>
  ({ accountId, exportId }: ExportKey): EncryptionContext => ({ accountId, table: 'exports', row: exportId, column })

/** Where the password of a ZIP file is stored until the file is made. */
export const passwordContext = contextOf('password_sealed')
/** Where the key of the file is stored. */
export const keyContext = contextOf('key_sealed')
