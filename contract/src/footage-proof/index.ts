/**
 * Proof of exported footage: the manifest of a file, and its check, which runs in any browser and on the server with nothing but
 * WebCrypto (docs/design/export-format.md).
 */
export type { FileRange } from './compare-content.ts'
export {
  type ExportContent,
  type ExportedPart,
  type ExportedSegment,
  type ExportFile,
  type ExportGap,
  type ExportManifest,
  encodeManifestBox,
  exportContent,
  findManifest,
} from './manifest.ts'
export { getKeyFingerprint } from './signatures.ts'
export { type ExportFinding, type ExportReport, verifyExport } from './verify.ts'
