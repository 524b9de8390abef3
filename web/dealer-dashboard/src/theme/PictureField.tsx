import { Button } from '@sightline/kit'
import { type ChangeEvent, useId, useRef, useState } from 'react'
import { ACCEPTED_FILES, type Picture, type PictureProblem, readPicture } from './picture-file.ts'
import { useText } from './text.ts'

interface PictureFieldProps {
  label: string
  hint: string
  /** Data or a URL; empty for no picture. */
  value: string
  /** The server's error about it. */
  error: string | undefined
  /** The maximum size in pixels. */
  within: { readonly width: number; readonly height: number }
  /** For dark backgrounds; the preview has one too. */
  dark?: boolean
  onChange: (picture: Picture | undefined) => void
}

/** A picture from a file, with a preview. */
export function PictureField({ label, hint, value, error, within, dark = false, onChange }: PictureFieldProps) {
  const t = useText()
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [problem, setProblem] = useState<PictureProblem>()
  const choose = async (event: ChangeEvent<HTMLInputElement>) => {
    const [file] = event.target.files ?? []
    // Choosing the same file again must also be a change.
    event.target.value = ''
    if (file === undefined) return
    const found = await readPicture(file, within)
    setProblem(typeof found === 'string' ? found : undefined)
    if (typeof found !== 'string') onChange(found)
  }
  const fault = problem === undefined ? error : t(problem)
  return (
    <fieldset aria-describedby={`${id}-note`}>
      <legend className="mb-1.5 font-medium">{label}</legend>
      <div className="flex flex-wrap items-center gap-3">
        <span
          className={`flex h-16 w-40 shrink-0 items-center justify-center rounded-md border border-border p-2 ${dark ? 'bg-black text-white' : 'bg-white text-black'}`}
        >
          {value === '' ? (
            <span className="text-xs">{t('None')}</span>
          ) : (
            <img src={value} alt="" className="max-h-full max-w-full object-contain" />
          )}
        </span>
        <Button variant="secondary" onClick={() => input.current?.click()}>
          {t(value === '' ? 'Upload' : 'Replace')}
          <span className="sr-only">: {label}</span>
        </Button>
        {value === '' ? null : (
          <Button
            variant="quiet"
            onClick={() => {
              setProblem(undefined)
              onChange(undefined)
            }}
          >
            {t('Remove')}
            <span className="sr-only">: {label}</span>
          </Button>
        )}
      </div>
      <input
        ref={input}
        type="file"
        accept={ACCEPTED_FILES}
        aria-label={label}
        className="hidden"
        onChange={(event) => void choose(event)}
      />
      <p
        id={`${id}-note`}
        aria-live="polite"
        className={`mt-1.5 text-xs ${fault === undefined ? 'text-muted' : 'text-danger-text'}`}
      >
        {fault ?? hint}
      </p>
    </fieldset>
  )
}
