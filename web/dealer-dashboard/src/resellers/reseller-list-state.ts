import { sortedList } from '../shell/list-in-address.ts'

export const resellersInAddress = sortedList('name', 'accounts', 'createdAt')
