/** Reads ISO base media boxes from memory. Whatever a length says, nothing outside the given bytes is read. */
export interface Box {
  readonly type: string
  /** Without size and type. */
  readonly content: Uint8Array
  /** Of the whole box, counted from the first byte given to {@link readBoxes}. */
  readonly offset: number
  readonly size: number
}

/** Deeper or larger than our own boxes ever are; a file with more isn't ours. */
const MAX_BOXES = 4096
const HEADER = 8

export const toDataView = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

const typeAt = (view: DataView, at: number): string =>
  String.fromCharCode(view.getUint8(at), view.getUint8(at + 1), view.getUint8(at + 2), view.getUint8(at + 3))

/**
 * The consecutive boxes in `bytes`. We never write sizes of 64 bits and "up to the end", so they are refused. @throws
 * if a size is impossible or bytes are left over.
 */
export function readBoxes(bytes: Uint8Array): readonly Box[] {
  const view = toDataView(bytes)
  const boxes: Box[] = []
  let at = 0
  while (at < bytes.length) {
    if (bytes.length - at < HEADER) throw new Error(`box at ${at}: ${bytes.length - at} bytes left, a header has 8`)
    const size = view.getUint32(at)
    const type = typeAt(view, at + 4)
    if (size < HEADER || size > bytes.length - at) {
      throw new Error(`box '${type}' at ${at}: says ${size} bytes, ${bytes.length - at} are there`)
    }
    if (boxes.length === MAX_BOXES) throw new Error(`more than ${MAX_BOXES} boxes side by side`)
    boxes.push({ type, content: bytes.subarray(at + HEADER, at + size), offset: at, size })
    at += size
  }
  return boxes
}

export function getChildBox(boxes: readonly Box[], type: string): Box {
  const found = boxes.find((box) => box.type === type)
  if (found === undefined) {
    throw new Error(`box '${type}' is missing among ${boxes.map((box) => `'${box.type}'`).join(', ') || 'none'}`)
  }
  return found
}

/** Follows a path of boxes that contain nothing but boxes: `descend(moov, ['mdia', 'minf'])`. */
export function descend(bytes: Uint8Array, path: readonly string[]): Uint8Array {
  let content = bytes
  for (const type of path) content = getChildBox(readBoxes(content), type).content
  return content
}
