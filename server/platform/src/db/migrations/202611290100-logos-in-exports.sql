-- Exports with the brand's logo in their pictures (docs/decisions/0171).
alter table exports add column logo boolean not null default false;
