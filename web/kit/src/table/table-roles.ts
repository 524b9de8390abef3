// Written out, because a table that is laid out as cards is none to every browser any more.
export const asTable = { role: 'table' } as const
export const asRowGroup = { role: 'rowgroup' } as const
export const asRow = { role: 'row' } as const
export const asColumnHeader = { role: 'columnheader', scope: 'col' } as const
export const asRowHeader = { role: 'rowheader', scope: 'row' } as const
export const asCell = { role: 'cell' } as const
/** A row that only keeps room: it says nothing. */
export const asRoom = { 'aria-hidden': true } as const
