import { useState } from 'react'
import { type RowsPerPage, rowsPerPageChoices } from './rows-in-hand.ts'

/** Rows per page of one table, remembered in this browser under its name; 25 by default. */
export function useRowsPerPage(table: string): readonly [RowsPerPage, (choice: RowsPerPage) => void] {
  const key = `rowsPerPage.${table}`
  const [choice, setChoice] = useState<RowsPerPage>(() => {
    const remembered = localStorage.getItem(key)
    return rowsPerPageChoices.find((one) => String(one) === remembered) ?? 25
  })
  const choose = (next: RowsPerPage) => {
    localStorage.setItem(key, String(next))
    setChoice(next)
  }
  return [choice, choose]
}
