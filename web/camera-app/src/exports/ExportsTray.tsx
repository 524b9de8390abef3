import { getExports } from '@sightline/contract/exports'
import { Dialog, IconButton } from '@sightline/kit'
import { useApplication, useMay } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { ExportList, useExportTitle } from './ExportList.tsx'
import { exportsQuery, isUnfinished } from './export-queries.ts'
import { whenOtherTabChanges } from './exports-in-tabs.ts'
import { useText } from './text.ts'

/** A button in the header with the number of unfinished exports, which opens the list. Nothing for those who may not export. */
export function ExportsTray() {
  return useMay()(getExports) === true ? <Tray /> : null
}

function Tray() {
  const t = useText()
  const { client, config } = useApplication()
  const { data = [] } = useQuery(exportsQuery(client))
  const [isOpen, setOpen] = useState(false)
  useOtherTabs()
  useTellWhenDone()
  const unfinished = data.filter(isUnfinished).length
  const label = unfinished === 0 ? t('Exports') : t('Exports (unfinished: {count})', { count: unfinished })
  const close = () => setOpen(false)
  return (
    <>
      <IconButton
        icon="download"
        label={label}
        aria-haspopup="dialog"
        className="relative"
        onClick={() => setOpen(true)}
      >
        {unfinished === 0 ? null : (
          // Drawn by CSS: the button's label says the number in words of its own.
          <span
            aria-hidden="true"
            data-count={unfinished}
            className="absolute end-0 top-0 inline-flex h-4.5 min-w-4.5 items-center justify-center rounded-full bg-primary px-1 text-xs font-medium text-on-primary before:content-[attr(data-count)]"
          />
        )}
      </IconButton>
      <Dialog open={isOpen} onClose={close} title={t('Exports')}>
        <ExportList />
        {config.theme.links.showDownloadPortal ? (
          <p className="mt-2">
            <a data-here href="/app/downloads" className="text-link-underline" onClick={close}>
              {t('Download Portal')}
            </a>
          </p>
        ) : null}
      </Dialog>
    </>
  )
}

function useOtherTabs(): void {
  const { client, queries } = useApplication()
  useEffect(
    () =>
      whenOtherTabChanges(() => {
        void queries.invalidateQueries({ queryKey: exportsQuery(client).queryKey })
      }),
    [client, queries],
  )
}

/** Says, also to screen readers, when an export has a file or has failed; a short one may be done before it was ever seen unfinished. */
function useTellWhenDone(): void {
  const t = useText()
  const { client, snackBar } = useApplication()
  const { data } = useQuery(exportsQuery(client))
  const titleOf = useExportTitle()
  const told = useRef<ReadonlySet<number> | undefined>(undefined)
  useEffect(() => {
    if (data === undefined) return
    for (const made of data) {
      if (told.current === undefined || told.current.has(made.exportId)) continue
      const name = titleOf(made)
      if (made.status === 'Done') snackBar.success(t('The export of {name} is ready.', { name }))
      if (made.status === 'Failed') snackBar.error(t('The export of {name} failed.', { name }))
    }
    told.current = new Set(data.filter((made) => !isUnfinished(made)).map(({ exportId }) => exportId))
  }, [data, snackBar, t, titleOf])
}
