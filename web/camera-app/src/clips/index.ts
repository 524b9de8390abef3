/** What the page of a camera takes from here, on demand. */

export { type ClipSpan, readTimes, type SpanFields, suggestMarked, suggestSpan } from './clip-span.ts'
export { DownloadClip } from './DownloadClip.tsx'
export { ExportShown } from './ExportShown.tsx'
