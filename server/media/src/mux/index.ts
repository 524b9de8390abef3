/** Fragmented MP4 (ISO 14496-12, -15) without copying payload: written for the browser and for the disk, and read back. */
export { type Box, descend, readBoxes } from './box-reader.ts'
export { type FragmentContent, fragment, type Sample } from './fragment.ts'
export { startingGrey } from './grey-start.ts'
export { initSegment } from './init-segment.ts'
export { browserTracks, mime } from './mime.ts'
export { type FragmentOffsets, readFragment } from './read-fragment.ts'
export { readInitSegment, readMovie } from './read-init-segment.ts'
