import { deleteLayout, type Layout, postLayout } from '@sightline/contract/saved-views'
import { buttonClass, ConfirmDialog, Icon, Menu, type MenuItem } from '@sightline/kit'
import { useApplication, useMay, useOwnMember, useSave } from '@sightline/shell'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { layoutsQuery } from './layout-queries.ts'
import { camerasOfLayout } from './layout-tiles.ts'
import { SaveLayout } from './SaveLayout.tsx'
import { useText } from './text.ts'

interface LayoutMenuProps {
  /** Those that are shown now, in their order. */
  cameraIds: readonly number[]
  onOpen: (cameraIds: readonly number[]) => void
}

/** The layouts of the user and of the account: opens one, and saves or deletes the one that is shown. */
export function LayoutMenu({ cameraIds, onOpen }: LayoutMenuProps) {
  const t = useText()
  const { client } = useApplication()
  const maySave = useMay()(postLayout) === true
  const isOwner = useOwnMember().data?.isSuperUser === true
  const layouts = useQuery(layoutsQuery(client)).data ?? []
  const [dialog, setDialog] = useState<'save' | Layout>()
  if (layouts.length === 0 && !maySave) return null
  const shown = layouts.find(({ tiles }) => isSame(camerasOfLayout(tiles), cameraIds))
  const mayDelete = shown !== undefined && maySave && shown.whole && (isOwner || !shown.shared)
  const choices: readonly MenuItem[] = layouts.map((layout) => ({
    label: layout.name,
    ...(layout.shared && { detail: t('For all users') }),
    current: layout === shown,
    disabled: layout.tiles.length === 0,
    onSelect: () => onOpen(camerasOfLayout(layout.tiles)),
  }))
  const actions: readonly MenuItem[] = [
    ...(maySave ? [{ label: t('Save layout'), onSelect: () => setDialog('save') }] : []),
    ...(mayDelete
      ? [{ label: t('Delete {layout}', { layout: shown.name }), danger: true, onSelect: () => setDialog(shown) }]
      : []),
  ]
  const close = () => setDialog(undefined)
  return (
    <>
      <Menu
        label={t('Layouts')}
        trigger={<Icon name="bookmark" />}
        triggerClass={buttonClass('secondary')}
        items={[
          ...choices,
          ...(choices.length > 0 && actions.length > 0 ? [{ kind: 'line' } as const] : []),
          ...actions,
        ]}
        align="end"
      />
      {dialog === 'save' ? <SaveLayout {...{ layouts, cameraIds, isOwner }} onClose={close} /> : null}
      {typeof dialog === 'object' ? <DeleteLayout layout={dialog} onClose={close} /> : null}
    </>
  )
}

const isSame = (one: readonly number[], other: readonly number[]): boolean =>
  one.length === other.length && one.every((id, place) => id === other[place])

function DeleteLayout({ layout, onClose }: { layout: Layout; onClose: () => void }) {
  const t = useText()
  const { client } = useApplication()
  const queries = useQueryClient()
  const save = useSave()
  const [busy, setBusy] = useState(false)
  const { layoutId, name, shared } = layout
  const act = async () => {
    setBusy(true)
    await save(() => client.call(deleteLayout, { params: { layoutId } }), {
      success: t('Layout {layout} deleted', { layout: name }),
    })
    await queries.invalidateQueries({ queryKey: layoutsQuery(client).queryKey })
    onClose()
  }
  return (
    <ConfirmDialog
      open
      danger
      title={t('Delete layout {layout}?', { layout: name })}
      confirm={t('Delete')}
      busy={busy}
      onClose={onClose}
      onConfirm={() => void act()}
    >
      {t(
        shared
          ? 'All users lose this layout. Its cameras and their footage stay. You can’t undo this.'
          : 'Its cameras and their footage stay. You can’t undo this.',
      )}
    </ConfirmDialog>
  )
}
