-- Tickets for files that prove themselves: what their manifest says of who exports them, and why (docs/decisions/0137).
alter table stream_tickets add column proof jsonb check (use = 'mp4' or proof is null);
