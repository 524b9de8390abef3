import { sortedList } from '../shell/list-in-address.ts'

export const distributorsInAddress = sortedList('name', 'resellers', 'createdAt')
