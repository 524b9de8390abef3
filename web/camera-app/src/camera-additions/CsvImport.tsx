import { Button, Notice } from '@sightline/kit'
import { type ChangeEvent, useRef, useState } from 'react'
import { type CameraFile, csvTemplate, readCameraFile } from './camera-csv.ts'
import type { CameraRow } from './camera-rows.ts'
import { useText } from './text.ts'

const MAX_FILE_BYTES = 1_000_000
const SHOWN_PROBLEMS = 10

const templateAddress = (): string => `data:text/csv;charset=utf-8,${encodeURIComponent(csvTemplate())}`

/** Fills the rows from a file; what is wrong in it is named before anything is sent. */
export function CsvImport({ onRows }: { onRows: (rows: readonly CameraRow[]) => void }) {
  const t = useText()
  const input = useRef<HTMLInputElement>(null)
  const [file, setFile] = useState<CameraFile>()
  const choose = async ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const [chosen] = currentTarget.files ?? []
    // The same file may be chosen again after it was corrected.
    currentTarget.value = ''
    if (chosen === undefined) return
    const read: CameraFile = chosen.size > MAX_FILE_BYTES ? { kind: 'noColumns' } : readCameraFile(await chosen.text())
    setFile(read)
    if (read.kind === 'rows' && read.problems.length === 0) onRows(read.rows)
  }
  return (
    <div className="space-y-3">
      <div className="flex flex-wrap items-center gap-3">
        <Button variant="secondary" onClick={() => input.current?.click()}>
          {t('Import a CSV file')}
        </Button>
        <a href={templateAddress()} download="cameras.csv" className="text-link underline">
          {t('Download a template')}
        </a>
        <input
          ref={input}
          type="file"
          accept=".csv,text/csv"
          aria-label={t('CSV file')}
          className="hidden"
          onChange={(event) => void choose(event)}
        />
      </div>
      <FileProblems file={file} />
    </div>
  )
}

function FileProblems({ file }: { file: CameraFile | undefined }) {
  const t = useText()
  if (file === undefined || (file.kind === 'rows' && file.problems.length === 0)) return null
  if (file.kind !== 'rows') {
    return (
      <Notice mood="danger">
        {file.kind === 'noRows'
          ? t('The file has no cameras. Each one needs its own line below the column names.')
          : t('The file needs the columns name and address in its first line. The template has all columns.')}
      </Notice>
    )
  }
  const more = file.problems.length - SHOWN_PROBLEMS
  return (
    <Notice mood="danger">
      <p>{t('Nothing was imported. Correct these lines and import the file again:')}</p>
      <ul className="mt-2 list-disc ps-5">
        {file.problems.slice(0, SHOWN_PROBLEMS).map(({ line, message }) => (
          <li key={`${line} ${message}`}>{t('Line {line}: {problem}', { line, problem: t.message(message) })}</li>
        ))}
      </ul>
      {more > 0 ? <p className="mt-2">{t('And {count} more', { count: more })}</p> : null}
    </Notice>
  )
}
