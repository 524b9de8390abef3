import { sortedList } from '../shell/list-in-address.ts'

export const staffInAddress = sortedList('lastName', 'email')
