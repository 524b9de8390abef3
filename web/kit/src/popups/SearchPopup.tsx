import { Combobox } from '@base-ui/react/combobox'
import { Fragment, type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { inputClass } from '../Field.tsx'
import { Icon } from '../Icon.tsx'
import { useKitText } from '../kit-text.tsx'
import { type Option, searchOptions } from '../option-search.ts'
import type { PopupProps } from '../use-popup.ts'
import { preloadWindowing, useWindowing, type WindowedRowProps } from '../windowing/use-windowing.tsx'
import { findLandmark, LoadedEarlier, PopupFrame, placement, popupClass, rowClass } from './PopupFrame.tsx'

interface SearchPopupProps extends Omit<PopupProps, 'isByKeyboard'> {
  id: string
  label: string
  placeholder: string | undefined
  chosen: Option | null
  /** The text that opened it. */
  begun: string
  load: () => Promise<readonly Option[]>
  onChoose: (value: string) => void
}

/** Estimated height of one result in CSS pixels. */
const ROW_PX = 36

/** If loading fails, it shows no results; the next opening tries again. */
async function loadOptions(load: SearchPopupProps['load']): Promise<readonly Option[]> {
  try {
    const options = await load()
    await preloadWindowing(options.length)
    return options
  } catch {
    return []
  }
}

/** The options that match the search text. */
function useFound({ load, begun }: SearchPopupProps) {
  const [loading] = useState(() => loadOptions(load))
  const [all, setAll] = useState<readonly Option[]>()
  const [query, setQuery] = useState(begun)
  const found = useMemo(() => searchOptions(all ?? [], query), [all, query])
  useEffect(() => {
    let isClosed = false
    void loading.then((list) => {
      if (!isClosed) setAll(list)
    })
    return () => {
      isClosed = true
    }
  }, [loading])
  return { isLoaded: all !== undefined, query, setQuery, found }
}

interface RowProps {
  option: Option
  index: number
  count: number
  rowProps: WindowedRowProps
}

function Row({ option, index, count, rowProps }: RowProps) {
  return (
    <Combobox.Item
      {...rowProps}
      value={option}
      index={index}
      aria-setsize={count}
      aria-posinset={index + 1}
      className={`${rowClass} group data-selected:font-medium`}
    >
      <span dir="auto" className="grow truncate rtl:text-right">
        {option.label}
      </span>
      {option.hint === undefined ? null : (
        <span dir="auto" className="shrink-0 text-xs text-muted tabular-nums">
          {option.hint}
        </span>
      )}
      <Icon name="check" size={18} className="invisible text-link group-data-selected:visible" />
    </Combobox.Item>
  )
}

/** Scrolls once to the selected result, when the results have loaded: Base UI knows only a selection that is there at first. */
function useSelectedInView(list: ResultsProps['list'], selected: number, isLoaded: boolean): void {
  const isDone = useRef(false)
  useEffect(() => {
    if (!isLoaded || isDone.current) return undefined
    // In the next frame the popup has its height.
    const frame = requestAnimationFrame(() => {
      isDone.current = true
      const row = list.current?.querySelector(`[data-index="${selected}"]`)?.getBoundingClientRect()
      const part = list.current?.getBoundingClientRect()
      if (row !== undefined && part !== undefined) {
        list.current?.scrollBy(0, row.top + row.height / 2 - part.top - part.height / 2)
      }
    })
    return () => cancelAnimationFrame(frame)
  }, [list, selected, isLoaded])
}

interface ResultsProps {
  list: RefObject<HTMLDivElement | null>
  label: string
  isLoaded: boolean
  found: readonly Option[]
  /** The index of the selected result, which is scrolled into view; -1 for none. */
  selected: number
  /** The index of the highlighted result, which stays drawn; -1 for none. */
  highlighted: number
}

/** The results; of a long list only those near the visible part are drawn. */
function Results({ list, label, isLoaded, found, selected, highlighted }: ResultsProps) {
  const count = found.length
  const keyAt = useCallback((index: number) => found[index]?.value ?? index, [found])
  const windowed = useWindowing({ list, count, keyAt, rowHeight: ROW_PX, isScrollable: true, kept: highlighted })
  const { placed, after, rowProps, windowing } = windowed
  useSelectedInView(list, selected, isLoaded)
  return (
    <>
      <Combobox.List
        ref={list}
        aria-label={label}
        aria-busy={!isLoaded}
        className="overflow-y-auto overscroll-contain px-1.5 pb-1.5 outline-none [overflow-anchor:none] empty:hidden"
      >
        {placed.map(({ index, gap }) => {
          const option = found[index]
          return option === undefined ? null : (
            <Fragment key={option.value}>
              {gap === 0 ? null : <div aria-hidden style={{ height: gap }} />}
              <Row option={option} index={index} count={count} rowProps={rowProps(index)} />
            </Fragment>
          )
        })}
        {after === 0 ? null : <div aria-hidden style={{ height: after }} />}
      </Combobox.List>
      {windowing}
    </>
  )
}

/** The open search of a {@link SearchSelect}: the text field and its results. */
export function SearchPopup(props: SearchPopupProps) {
  const { id, label, placeholder, chosen, trigger, onChoose, onClose } = props
  const text = useKitText()
  const { isLoaded, query, setQuery, found } = useFound(props)
  const list = useRef<HTMLDivElement>(null)
  const [highlighted, highlight] = useState<number>()
  const selected = query === '' ? found.findIndex(({ value }) => value === chosen?.value) : -1
  return (
    <PopupFrame>
      <Combobox.Root<Option>
        id={id}
        open
        autoHighlight
        virtualized
        items={found}
        filter={null}
        value={chosen}
        itemToStringLabel={(option) => option.label}
        isItemEqualToValue={(a, b) => a.value === b.value}
        inputValue={query}
        onInputValueChange={(typed, { reason }) => {
          if (reason !== 'input-change') return
          setQuery(typed)
          list.current?.scrollTo(0, 0)
        }}
        onItemHighlighted={(_, { index }) => highlight(index)}
        onValueChange={(option) => {
          if (option !== null) onChoose(option.value)
        }}
        onOpenChange={onClose}
      >
        <Combobox.Trigger render={<LoadedEarlier button={trigger} />} />
        <Combobox.Portal container={findLandmark(trigger)}>
          <Combobox.Positioner {...placement}>
            <Combobox.Popup
              id={`${id}-popup`}
              aria-label={label}
              className={`${popupClass} flex max-h-[min(var(--available-height,24rem),24rem)] w-(--anchor-width) min-w-64 flex-col overflow-hidden`}
            >
              <div className="relative p-1.5">
                <span className="pointer-events-none absolute inset-y-0 start-4.5 flex items-center text-muted">
                  <Icon name="search" size={18} />
                </span>
                <Combobox.Input
                  aria-label={placeholder ?? label}
                  placeholder={placeholder}
                  autoComplete="off"
                  spellCheck={false}
                  className={`${inputClass} ps-10`}
                />
              </div>
              <Combobox.Empty className="px-4.5 pb-3 text-muted empty:hidden">
                {text(isLoaded ? 'Nothing found' : 'Loading')}
              </Combobox.Empty>
              <Results
                list={list}
                label={label}
                isLoaded={isLoaded}
                found={found}
                selected={selected}
                highlighted={highlighted ?? selected}
              />
            </Combobox.Popup>
          </Combobox.Positioner>
        </Combobox.Portal>
      </Combobox.Root>
    </PopupFrame>
  )
}
