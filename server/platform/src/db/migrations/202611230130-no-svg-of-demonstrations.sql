-- Brands of the demonstration were still added with SVG pictures after 202611222320; a theme takes none any more.
update resellers set theme = theme || '{"logo": null}' where theme ->> 'logo' like 'data:image/svg+xml%';
update resellers set theme = theme || '{"favicon": null}' where theme ->> 'favicon' like 'data:image/svg+xml%';
update resellers set theme = theme - 'logoDark' where theme ->> 'logoDark' like 'data:image/svg+xml%';
