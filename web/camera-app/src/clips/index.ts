/** What the stage takes from here, on demand. */

export type { ClipSpan } from './clip-span.ts'
export { DownloadClip } from './DownloadClip.tsx'
export { RangeFields } from './RangeFields.tsx'
export { type SpanForm, useSpanForm } from './use-span-form.ts'
