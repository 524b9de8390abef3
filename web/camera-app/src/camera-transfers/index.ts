/** What the list and the pages of cameras take from here, on demand. */
export { OfferNotice, TransferredNotice } from './TransferNotices.tsx'
