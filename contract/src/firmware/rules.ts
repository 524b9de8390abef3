import { steersText } from '../user-details/index.ts'

const MAX_VERSION_LENGTH = 64

/** What is wrong with a version: 1-64 characters, as makers write them. */
export function firmwareVersionProblem(text: string): string | undefined {
  if (text.trim() === '') return 'Please enter a version'
  if (text.trim().length > MAX_VERSION_LENGTH) return 'This text is too long'
  return steersText(text) ? 'Please enter a valid version' : undefined
}

const numbersOf = (version: string): readonly number[] => (version.match(/\d+/g) ?? []).map(Number)

/** Below 0: `one` is older than `other`. By their numbers, from left to right: `V5.7.3 build 220112` is older than `5.7.10`. */
export function compareVersions(one: string, other: string): number {
  const [left, right] = [numbersOf(one), numbersOf(other)]
  for (let at = 0; at < Math.max(left.length, right.length); at++) {
    const difference = (left[at] ?? 0) - (right[at] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

/** Whether a camera that reports `reported` has that version: makers write more, or less, into the report than on the file. */
export function isSameVersion(reported: string, version: string): boolean {
  const [left, right] = [numbersOf(reported), numbersOf(version)]
  const length = Math.min(left.length, right.length)
  if (length === 0) return reported.trim().toLowerCase() === version.trim().toLowerCase()
  // A single number says too little if the other one has more.
  if (length === 1 && left.length !== right.length) return false
  return left.slice(0, length).every((number, at) => number === right[at])
}

/** The newest of these versions that is newer than the one that runs; undefined if there is none, or if that isn't known. */
export const newerVersion = (current: string | null, versions: readonly string[]): string | undefined =>
  current === null
    ? undefined
    : versions
        .filter((version) => !isSameVersion(current, version) && compareVersions(version, current) > 0)
        .toSorted((one, other) => compareVersions(other, one))[0]

export const MAX_FIRMWARE_BYTES = 256 * 1024 * 1024
/** An image is stored and sent in parts of this many bytes. */
export const FIRMWARE_PART_BYTES = 512 * 1024
export const MAX_SIGNATURE_BYTES = 64 * 1024

const MAX_LABEL_LENGTH = 64

/** What is wrong with the brand or the model that an image is for. */
export function firmwareLabelProblem(text: string): string | undefined {
  if (text.trim() === '') return 'This field is required'
  if (text.trim().length > MAX_LABEL_LENGTH) return 'This text is too long'
  return steersText(text) ? 'Please enter a valid text' : undefined
}

/** How many parts an image of that size has. */
export const firmwareParts = (sizeBytes: number): number => Math.ceil(sizeBytes / FIRMWARE_PART_BYTES)
