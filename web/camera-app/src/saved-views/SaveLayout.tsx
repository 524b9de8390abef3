import { type Layout, patchLayout, postLayout, savedViewNameProblem } from '@sightline/contract/saved-views'
import { FormDialog, Notice, Switch, TextField, useForm } from '@sightline/kit'
import { useApplication, useSave } from '@sightline/shell'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { layoutsQuery } from './layout-queries.ts'
import { layoutOfCameras } from './layout-tiles.ts'
import { useText } from './text.ts'

interface SaveLayoutProps {
  layouts: readonly Layout[]
  cameraIds: readonly number[]
  /** The owner of the account can save it for all users. */
  isOwner: boolean
  onClose: () => void
}

const empty: { readonly name: string } & Readonly<Record<string, string>> = { name: '' }

/** A dialog that saves the cameras that are shown. A layout of the same name is replaced. */
export function SaveLayout({ layouts, cameraIds, isOwner, onClose }: SaveLayoutProps) {
  const t = useText()
  const { client } = useApplication()
  const queries = useQueryClient()
  const save = useSave()
  const [shared, setShared] = useState(false)
  const form = useForm(empty, { name: savedViewNameProblem }, t.message)
  const name = form.values.name.trim()
  const replaced = layouts.find((layout) => layout.name === name && layout.shared === shared && layout.whole)
  const body = { name, ...layoutOfCameras(cameraIds), shared }
  const send = () =>
    replaced === undefined
      ? client.call(postLayout, { body })
      : client.call(patchLayout, { params: { layoutId: replaced.layoutId }, body })
  return (
    <FormDialog
      open
      onClose={onClose}
      title={t('Save layout')}
      submit={t('Save')}
      changed={form.changed}
      valid={form.valid}
      busy={form.busy}
      onSubmit={form.submit(async () => {
        const done = await save(send, {
          success: t('Layout {layout} saved', { layout: name }),
          messages: { 6: t('You have 100 layouts. Delete one first.') },
          form: { fields: ['name'], fieldOfCode: {}, refuse: form.refuse },
        })
        if (!('saved' in done)) return
        await queries.invalidateQueries({ queryKey: layoutsQuery(client).queryKey })
        onClose()
      })}
    >
      <TextField {...form.field('name')} label={t('Name')} autoComplete="off" />
      {isOwner ? (
        <Switch
          label={t('For all users')}
          description={t('Each user sees the cameras that they have access to.')}
          checked={shared}
          onChange={setShared}
        />
      ) : null}
      {replaced === undefined ? null : <Notice>{t('This replaces the layout of this name.')}</Notice>}
    </FormDialog>
  )
}
