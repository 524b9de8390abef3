import { deletePtzPreset, getPtzPresets, type PtzPreset, postPtzPreset } from '@sightline/contract/camera-ptz'
import { zoneOrCameraNameProblem } from '@sightline/contract/zones'
import { ConfirmDialog, FormDialog, Icon, IconButton, TextField, useForm } from '@sightline/kit'
import { useApplication, useSave } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { MoveRepeater } from './move-repeater.ts'
import { presetMessages } from './ptz-failures.ts'
import { useText } from './text.ts'

interface PresetsProps {
  readonly cameraId: number
  readonly repeater: MoveRepeater
}

type Asking = { readonly kind: 'new' } | { readonly kind: 'replace' | 'delete'; readonly preset: PtzPreset }

const keyOf = (cameraId: number) => ['cameras', cameraId, 'ptz', 'presets'] as const

/** The camera's saved views: turn to one, save the current one, replace, delete. */
export function Presets({ cameraId, repeater }: PresetsProps) {
  const t = useText()
  const { client } = useApplication()
  const { data, error, refetch } = useQuery({
    queryKey: keyOf(cameraId),
    queryFn: ({ signal }) => client.call(getPtzPresets, { params: { cameraId } }, { signal }),
    staleTime: 0,
  })
  const [asking, setAsking] = useState<Asking>()
  // Dialogs are outside of what is shown in full screen.
  const ask = async (wanted: Asking) => {
    if (document.fullscreenElement !== null) await document.exitFullscreen().catch(() => undefined)
    setAsking(wanted)
  }
  const close = () => setAsking(undefined)
  return (
    <div className="flex w-full min-w-0 flex-col gap-1 sm:w-52">
      {data === undefined && error === null ? (
        <p className="px-2 py-1.5 text-white/80">{t('Loading saved views')}</p>
      ) : null}
      {error === null ? null : (
        <p className="flex items-center gap-2 px-2">
          {t('Couldn’t load the saved views.')}
          <IconButton icon="refresh" label={t('Load again')} onClick={() => void refetch()} className="text-white" />
        </p>
      )}
      {data?.length === 0 ? (
        <p className="px-2 py-1.5 text-white/80">{t('Save views to come back to them with one click.')}</p>
      ) : null}
      <ul className="max-h-36 overflow-y-auto overscroll-contain" aria-label={t('Saved views')}>
        {(data ?? []).map((preset) => (
          <li key={preset.presetId} className="flex items-center rounded-md hover:bg-white/15">
            <button
              type="button"
              className="min-h-9 grow truncate rounded-md px-2 text-start focus-visible:outline-white pointer-coarse:min-h-11"
              onClick={() => void repeater.once({ action: 'goto', presetId: preset.presetId })}
            >
              {preset.name}
            </button>
            <RowButton
              icon="edit"
              label={t('Replace {name}', preset)}
              onPress={() => void ask({ kind: 'replace', preset })}
            />
            <RowButton
              icon="trash"
              label={t('Delete {name}', preset)}
              onPress={() => void ask({ kind: 'delete', preset })}
            />
          </li>
        ))}
      </ul>
      {data === undefined ? null : (
        <button
          type="button"
          className="inline-flex min-h-9 items-center gap-2 rounded-md px-2 hover:bg-white/20 focus-visible:outline-white pointer-coarse:min-h-11"
          onClick={() => void ask({ kind: 'new' })}
        >
          <Icon name="plus" size={18} />
          {t('Save this view')}
        </button>
      )}
      {asking === undefined ? null : <PresetDialog {...{ cameraId, asking }} onClose={close} />}
    </div>
  )
}

function RowButton({ icon, label, onPress }: { icon: 'edit' | 'trash'; label: string; onPress: () => void }) {
  return (
    <button
      type="button"
      title={label}
      aria-label={label}
      className="inline-flex size-9 shrink-0 items-center justify-center rounded-md text-white/80 hover:bg-white/20 focus-visible:outline-white pointer-coarse:size-11"
      onClick={onPress}
    >
      <Icon name={icon} size={16} />
    </button>
  )
}

interface DialogProps {
  readonly cameraId: number
  readonly onClose: () => void
}

function PresetDialog({ asking, ...props }: DialogProps & { readonly asking: Asking }) {
  if (asking.kind === 'delete') return <DeletePreset {...props} preset={asking.preset} />
  return <SavePreset {...props} preset={asking.kind === 'replace' ? asking.preset : undefined} />
}

function SavePreset({ cameraId, preset, onClose }: DialogProps & { readonly preset: PtzPreset | undefined }) {
  const t = useText()
  const { client, queries } = useApplication()
  const save = useSave()
  const rules = { name: (name: string) => zoneOrCameraNameProblem('Camera', name.trim()) }
  const form = useForm({ name: preset?.name ?? '' }, rules, t.message)
  return (
    <FormDialog
      open
      onClose={onClose}
      title={preset === undefined ? t('Save this view') : t('Replace {name}', preset)}
      submit={preset === undefined ? t('Save view') : t('Replace view')}
      danger={preset !== undefined}
      changed={form.changed}
      sendsUnchanged={preset !== undefined}
      valid={form.valid}
      busy={form.busy}
      onSubmit={form.submit(async ({ name }) => {
        const body = { name: name.trim(), presetId: preset?.presetId }
        const done = await save(() => client.call(postPtzPreset, { params: { cameraId }, body }), {
          success: t('View saved'),
          messages: translated(t),
          form: { fields: ['name'], refuse: form.refuse },
        })
        if ('failure' in done) return
        void queries.invalidateQueries({ queryKey: keyOf(cameraId) })
        onClose()
      })}
    >
      {preset === undefined ? null : (
        <p>{t('The camera saves what it shows now under this name. The view that was saved before is lost.')}</p>
      )}
      <TextField {...form.field('name')} label={t('Name of the view')} maxLength={64} autoComplete="off" />
    </FormDialog>
  )
}

function DeletePreset({ cameraId, preset, onClose }: DialogProps & { readonly preset: PtzPreset }) {
  const t = useText()
  const { client, queries } = useApplication()
  const save = useSave()
  const [busy, setBusy] = useState(false)
  const remove = async () => {
    setBusy(true)
    const params = { cameraId, presetId: preset.presetId }
    const done = await save(() => client.call(deletePtzPreset, { params }), {
      success: t('View deleted'),
      messages: translated(t),
    })
    setBusy(false)
    void queries.invalidateQueries({ queryKey: keyOf(cameraId) })
    if (!('failure' in done)) onClose()
  }
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={t('Delete {name}?', preset)}
      confirm={t('Delete view')}
      danger
      busy={busy}
      onConfirm={() => void remove()}
    >
      <p>{t('The camera can no longer turn to this view with one click. Recordings are not affected.')}</p>
    </ConfirmDialog>
  )
}

const translated = (t: ReturnType<typeof useText>) =>
  Object.fromEntries(Object.entries(presetMessages).map(([code, text]) => [code, t(text)]))
