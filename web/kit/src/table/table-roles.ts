// Explicit, because a table with the layout of cards loses its roles in some browsers.
export const asTable = { role: 'table' } as const
export const asRowGroup = { role: 'rowgroup' } as const
export const asRow = { role: 'row' } as const
export const asColumnHeader = { role: 'columnheader', scope: 'col' } as const
export const asRowHeader = { role: 'rowheader', scope: 'row' } as const
export const asCell = { role: 'cell' } as const
/** A row that only reserves space. */
export const asRoom = { 'aria-hidden': true } as const
