import { addExport, MAX_EXPORTS, MAX_WAITING_EXPORTS } from '@sightline/contract/exports'
import { useApplication, useSave } from '@sightline/shell'
import { exportsQuery } from './export-queries.ts'
import type { ExportBody } from './export-wish.ts'
import { notifyOtherTabs } from './exports-in-tabs.ts'
import { useText } from './text.ts'

/** Asks for the exports again, here and in other tabs. */
export function useExportsChanged(): () => Promise<void> {
  const { client, queries } = useApplication()
  return async () => {
    notifyOtherTabs()
    await queries.invalidateQueries({ queryKey: exportsQuery(client).queryKey })
  }
}

/** Asks for an export and says so, or why there is none. Resolves to whether it was accepted. */
export function useNewExport(): (body: ExportBody) => Promise<boolean> {
  const t = useText()
  const { client } = useApplication()
  const save = useSave()
  const changed = useExportsChanged()
  return async (body) => {
    const made = await save(() => client.call(addExport, { body }), {
      success: t('The file is being prepared. Follow it under “Exports” at the top.'),
      messages: {
        4: t('Nothing was recorded in this time, or you no longer have access to a camera.'),
        6: t(
          'You’ve reached the export limit: {waiting} unfinished, {kept} in all, or 200 GiB. Delete one that you no longer need.',
          { waiting: MAX_WAITING_EXPORTS, kept: MAX_EXPORTS },
        ),
        17: t('This server can’t change the picture or the speed. Export the footage as recorded.'),
        9: t('You don’t have permission to export footage. Ask the account owner.'),
      },
    })
    if ('failure' in made) return false
    await changed()
    return true
  }
}
