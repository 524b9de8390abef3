import type { ExportOrder, ExportStatement, ExportSubject } from '@sightline/contract/footage-proof'
import { getKeyId, signLine } from '@sightline/platform/signed-line'
import { listHeadKeys } from './head-signer.ts'
import type { Secrets } from './secrets.ts'

/** Signs what is said of an exported file; returns the line. */
export type SignExport = (subject: ExportSubject, order: ExportOrder) => string

const SOFTWARE = 'Sightline'

const timeText = (time: number): string => new Date(time).toISOString()

/** Signs with the key of lists of footage (docs/design/export-format.md). */
export const exportSigner =
  (secrets: Secrets, now: () => number): SignExport =>
  (subject, order) => {
    const { key } = secrets.footageSigning.current
    const statement: ExportStatement = {
      export: 1,
      software: SOFTWARE,
      ...order,
      ...subject,
      exportedAt: timeText(now()),
      keys: listHeadKeys(secrets).map(({ publicKey, createdAt, retiredAt }) => ({
        publicKey: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
        createdAt: timeText(createdAt),
        ...(retiredAt !== undefined && { retiredAt: timeText(retiredAt) }),
      })),
      keyId: getKeyId(key),
    }
    return signLine(statement, key)
  }
