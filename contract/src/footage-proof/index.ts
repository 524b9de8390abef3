/**
 * Proof of exported footage: the manifest of a file, and its check, which runs in any browser and on the server with nothing but
 * WebCrypto (docs/design/export-format.md).
 */
export { type ClipSound, clipSound } from './clip-sound.ts'
export {
  type DerivedOrder,
  type DerivedPictures,
  derivedOrder,
  type ExportContent,
  type ExportedPart,
  type ExportedSegment,
  type ExportFile,
  type ExportGap,
  type ExportOrder,
  type ExportStatement,
  type ExportSubject,
  encodeManifestBox,
  exportOrder,
  exportSubject,
  findManifest,
  manifestText,
} from './manifest.ts'
export { type ExportFinding, type ExportReport, verifyExport } from './verify.ts'
