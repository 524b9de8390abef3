/** What the page of a camera takes from here, on demand. */

export { readTimes, type SpanFields, suggestSpan } from './clip-span.ts'
export { DownloadClip } from './DownloadClip.tsx'
