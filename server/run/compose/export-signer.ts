import type { ExportContent, ExportManifest } from '@sightline/contract/footage-proof'
import { getKeyId, signLine } from '@sightline/platform/signed-line'
import { listHeadKeys } from './head-signer.ts'
import type { Secrets } from './secrets.ts'

/** Who exports footage, and why. */
export interface ExportOrder {
  readonly exportId?: string
  readonly cameraName?: string
  readonly exportedBy: string
  readonly reason?: string
  /** Milliseconds since 1970. */
  readonly at: number
}

const SOFTWARE = 'Sightline'

const timeText = (time: number): string => new Date(time).toISOString()

/** The signed manifest of an exported file (docs/design/export-format.md). The key is that of lists of footage. */
export function signExport(content: ExportContent, { at, ...order }: ExportOrder, secrets: Secrets): string {
  const { key } = secrets.footageSigning.current
  const manifest: ExportManifest = {
    export: 1,
    software: SOFTWARE,
    ...order,
    exportedAt: timeText(at),
    keys: listHeadKeys(secrets).map(({ publicKey, createdAt, retiredAt }) => ({
      publicKey: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
      createdAt: timeText(createdAt),
      ...(retiredAt !== undefined && { retiredAt: timeText(retiredAt) }),
    })),
    keyId: getKeyId(key),
    ...content,
  }
  return signLine(manifest, key)
}
