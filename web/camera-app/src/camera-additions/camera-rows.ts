import {
  type AdditionValues,
  additionBody,
  additionRules,
  emptyAddition,
  type FoundLocation,
  machinesBody,
} from './addition-form.ts'

/** One of several cameras, as typed. */
export interface CameraRow extends AdditionValues, FoundLocation {
  /** Only of this page. */
  readonly key: string
  /** `yes` for a device that speaks RTSP only: nothing but its owner says where its stream is. */
  readonly needsPath: string
}

let made = 0

export function emptyRow(): CameraRow {
  made++
  return { ...emptyAddition(''), foundAt: '', machines: '', needsPath: '', key: `row ${made}` }
}

/** As many as are added with one tap. */
const ROWS_AT_ONCE = 5

export const emptyRows = (): readonly CameraRow[] => Array.from({ length: ROWS_AT_ONCE }, emptyRow)

/** Whether nothing was typed; such a row is not sent. */
export const isBlank = ({ name, address }: CameraRow): boolean => name.trim() === '' && address.trim() === ''

const NO_PATH = 'Enter the stream path, such as /stream1'

/** Why values of a row can't be sent, by field. */
export function rowProblems(row: CameraRow): Readonly<Record<string, string>> {
  const problems = Object.entries(additionRules).flatMap(([field, problemOf]) => {
    const problem = problemOf(row[field] ?? '')
    return problem === undefined ? [] : [[field, problem] as const]
  })
  const isMissing = row.needsPath === 'yes' && row.streamPath.trim() === ''
  return { ...Object.fromEntries(problems), ...(isMissing ? { streamPath: NO_PATH } : {}) }
}

/** What all rows share that have none of their own. */
export interface SharedCredentials {
  readonly username: string
  readonly password: string
}

/** The request for a row; the zone is that of the call. */
export function rowBody(row: CameraRow, shared: SharedCredentials) {
  const credentials = row.username.trim() === '' ? shared : { username: row.username, password: row.password }
  const { zoneId: _, ...camera } = additionBody({ ...row, ...credentials })
  return { ...camera, ...machinesBody(row) }
}
