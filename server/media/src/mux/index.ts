/** Fragmented MP4 (ISO 14496-12, -15) without copying payload: written for the browser and for the disk, and read back. */
export { type Box, descend, readBoxes } from './box-reader.ts'
export { type FragmentContent, fragment, joinedFragment, type Sample } from './fragment.ts'
export { startingGrey } from './grey-start.ts'
export { initSegment, type MovieStart, movieStart, type TrackFormats } from './init-segment.ts'
export { browserTracks, mime } from './mime.ts'
export { readTopBoxes, setMovieLength } from './movie-length.ts'
export { FORMAT_ROOM_BYTES, type FragmentPlacement, type PlacedTrack, placeFragment } from './place-fragment.ts'
export { type FragmentOffsets, readFragment } from './read-fragment.ts'
export { readInitSegment, readMovie } from './read-init-segment.ts'
export {
  type IndexedStretch,
  MAX_INDEXED_STRETCHES,
  segmentIndex,
} from './segment-index.ts'
