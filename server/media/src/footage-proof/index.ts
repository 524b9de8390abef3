/** What proves exported footage: noted while a clip is read (docs/design/export-format.md). */
export { ClipExport, type ExportedClip, manifestBox } from './clip-export.ts'
