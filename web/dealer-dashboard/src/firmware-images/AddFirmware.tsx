import {
  firmwareLabelProblem,
  firmwareVersionProblem,
  MAX_FIRMWARE_BYTES,
  MAX_SIGNATURE_BYTES,
} from '@sightline/contract/firmware'
import { addFirmwareImage } from '@sightline/contract/firmware-images'
import { Field, FormDialog, ProgressBar, TextField, useForm } from '@sightline/kit'
import { useApplication, useSave } from '@sightline/shell'
import { useState } from 'react'
import { useText } from './text.ts'
import { toBase64, uploadParts } from './upload.ts'

const empty = { brand: '', model: '', version: '' }
const rules = { brand: firmwareLabelProblem, model: firmwareLabelProblem, version: firmwareVersionProblem }

interface FileFieldProps {
  label: string
  hint: string
  error: string | undefined
  optional?: string
  disabled: boolean
  onChoose: (file: File | undefined) => void
}

function FileField({ label, hint, error, optional, disabled, onChoose }: FileFieldProps) {
  return (
    <Field label={label} hint={hint} error={error} {...(optional === undefined ? {} : { optional })}>
      {(ids) => (
        <input
          {...ids}
          type="file"
          disabled={disabled}
          className="control w-full border border-outline bg-surface px-3 py-1.5 text-text file:me-3 file:rounded file:border-0 file:bg-sunken file:px-3 file:py-1 file:text-text"
          onChange={(event) => onChoose(event.target.files?.[0])}
        />
      )}
    </Field>
  )
}

/** What is wrong with a chosen file; undefined if nothing is, or none was chosen. */
function useFileProblem() {
  const t = useText()
  return (file: File | undefined, most: number): string | undefined => {
    if (file === undefined) return undefined
    if (file.size === 0) return t('This file is empty')
    return file.size > most ? t('This file is too large') : undefined
  }
}

/** Uploads firmware for a model. */
export function AddFirmware({ resellerId, onClose }: { resellerId: string; onClose: () => void }) {
  const t = useText()
  const { client } = useApplication()
  const save = useSave()
  const form = useForm(empty, rules, t.message)
  const problemOf = useFileProblem()
  const [file, chooseFile] = useState<File>()
  const [signature, chooseSignature] = useState<File>()
  const [progress, setProgress] = useState<number>()
  const problems = { file: problemOf(file, MAX_FIRMWARE_BYTES), signature: problemOf(signature, MAX_SIGNATURE_BYTES) }
  const isFine = file !== undefined && problems.file === undefined && problems.signature === undefined
  const upload = async (values: typeof empty) => {
    if (file === undefined) return
    const given = signature === undefined ? {} : { signature: await toBase64(signature) }
    const body = {
      brand: values.brand.trim(),
      model: values.model.trim(),
      version: values.version.trim(),
      sizeBytes: file.size,
      ...given,
    }
    const done = await save(
      async () => {
        const image = await client.call(addFirmwareImage, { params: { resellerId }, body })
        setProgress(0)
        return uploadParts(client, { resellerId, image, file, onProgress: setProgress })
      },
      {
        success: t('Firmware uploaded'),
        messages: {
          5: t('This version is there already.'),
          6: t('There are too many versions, or they take more than 4 GB together. Remove some first.'),
        },
        form: { fields: ['brand', 'model', 'version'], fieldOfCode: { 5: 'version' }, refuse: form.refuse },
      },
    )
    setProgress(undefined)
    if ('saved' in done) onClose()
  }
  return (
    <FormDialog
      open
      onClose={onClose}
      title={t('Upload firmware')}
      submit={t('Upload firmware')}
      changed={form.changed}
      valid={form.valid && isFine}
      busy={form.busy}
      onSubmit={form.submit(upload)}
    >
      <p className="text-muted">
        {t('Write brand and model exactly as the cameras report them: see Camera info in the settings of a camera.')}
      </p>
      <TextField {...form.field('brand')} label={t('Brand')} autoComplete="off" />
      <TextField {...form.field('model')} label={t('Model')} autoComplete="off" />
      <TextField {...form.field('version')} label={t('Version')} autoComplete="off" />
      <FileField
        label={t('Firmware file')}
        hint={t('As the maker provides it, up to 256 MB.')}
        error={problems.file}
        disabled={form.busy}
        onChoose={chooseFile}
      />
      <FileField
        label={t('Maker’s signature file')}
        hint={t('It is kept as it is.')}
        error={problems.signature}
        optional={t('optional')}
        disabled={form.busy}
        onChoose={chooseSignature}
      />
      {progress === undefined ? null : <ProgressBar value={progress} label={t('Uploading firmware')} />}
    </FormDialog>
  )
}
