/** What the header and dialogs about footage take from here, on demand. */

export { ExportFields } from './ExportFields.tsx'
export { ExportList } from './ExportList.tsx'
export { ExportsTray } from './ExportsTray.tsx'
export { exportsQuery } from './export-queries.ts'
export { type ExportWish, findWishFault, noWish, toNewExport } from './export-wish.ts'
export { useNewExport } from './use-new-export.ts'
