#ifndef PLIANT_APP_REPORT_STYLE_SHEET_H_
#define PLIANT_APP_REPORT_STYLE_SHEET_H_

namespace pliant {

// Figures stand on white paper in the dark scheme too, so that their colours stay what they are.
inline constexpr char kStyleSheet[] = R"css(
:root { color-scheme: light dark; --ink: #1b1b1b; --quiet: #5c5c5c; --ground: #ffffff;
  --line: #d8d8d8; --soft: #f5f5f3; --exact: #e3f3ea; --approximated: #fdf1d3; --ignored: #ececec;
  --unsupported: #fbe0dc; --good: #11693f; --bad: #a33012; --link: #005f9e; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8e8e6; --quiet: #a9a9a5; --ground: #1c1d1f;
  --line: #3d3f42; --soft: #27292c; --exact: #1d3b2c; --approximated: #463a17; --ignored: #34363a;
  --unsupported: #4d2620; --good: #7fd4a8; --bad: #ff9d80; --link: #7dbdf0; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 76rem; padding: 1.5rem; background: var(--ground);
  color: var(--ink); font: 16px/1.5 system-ui, "DejaVu Sans", Verdana, sans-serif; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 .6rem; }
h2 { font-size: 1.35rem; margin: 2.6rem 0 .8rem; padding-bottom: .2rem;
  border-bottom: 1px solid var(--line); }
h3 { font-size: 1.05rem; margin: 0 0 .4rem; }
p { max-width: 52rem; margin: .5rem 0; }
a { color: var(--link); }
small { color: var(--quiet); font-weight: normal; }
code, pre { font: .86em/1.45 ui-monospace, "DejaVu Sans Mono", monospace; }
pre { background: var(--soft); padding: .8rem; overflow-x: auto; }
.facts span { color: var(--quiet); }
.facts span + span::before { content: " · "; }
nav { display: flex; flex-wrap: wrap; gap: .3rem 1.1rem; margin-top: 1rem; padding: .5rem 0;
  border-top: 1px solid var(--line); border-bottom: 1px solid var(--line); }
.patch { display: inline-block; width: .75em; height: .75em; margin-right: .4em;
  border: 1px solid var(--quiet); }
.run { font-weight: 600; white-space: nowrap; }
.runs { list-style: none; padding: 0; }
.runs li { margin: .3rem 0; }
.good { color: var(--good); }
.bad { color: var(--bad); font-weight: 600; }
.warning { margin: .2rem 0 .2rem 1.2em; padding: .15rem .6rem; font-size: .92rem;
  border-left: 3px solid #d99a00; background: var(--soft); }
.events { list-style: none; margin: .2rem 0 .2rem 1.2em; padding: 0; font-size: .92rem; }
.events li { margin: 0; }
.time { color: var(--quiet); font-variant-numeric: tabular-nums; }
.undefined, .none { color: var(--quiet); }
.wide { overflow-x: auto; margin: .8rem 0; }
table { border-collapse: collapse; font-size: .9rem; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .32rem .6rem;
  border-bottom: 1px solid var(--line); }
thead th { border-bottom: 2px solid var(--line); }
.summary td:not(:first-child), .summary th:not(:first-child) { text-align: right;
  white-space: nowrap; font-variant-numeric: tabular-nums; }
.summary td code { display: block; color: var(--quiet); font-size: .75rem; }
.translation td { min-width: 11rem; font-size: .85rem; border-left: 3px solid var(--ground); }
.reproduction td { overflow-wrap: anywhere; min-width: 8rem; font-size: .82rem; }
.exact { background: var(--exact); }
.approximated { background: var(--approximated); }
.ignored { background: var(--ignored); }
.unsupported { background: var(--unsupported); }
.changed { background: var(--approximated); }
.changed td:nth-child(2) { font-weight: 600; }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(17rem, 1fr)); gap: 1rem; }
.card { background: var(--soft); padding: .8rem 1rem; }
.card h3 small { display: block; }
dl { margin: 0; font-size: .9rem; }
dt { color: var(--quiet); font-size: .8rem; }
dd { margin: 0 0 .45rem; }
figure { margin: 1.6rem 0; }
figcaption { max-width: 52rem; margin-bottom: .5rem; }
.files { white-space: nowrap; font-size: .85rem; }
.paper { background: #ffffff; padding: .6rem; border: 1px solid var(--line); overflow-x: auto; }
.paper svg, .paper img { display: block; max-width: 100%; height: auto; margin: 0 auto; }
details { margin: .5rem 0; }
summary { cursor: pointer; }
sup { line-height: 0; font-size: .75em; }
@media print { nav, .files { display: none; } figure { break-inside: avoid; } }
)css";

}  // namespace pliant

#endif  // PLIANT_APP_REPORT_STYLE_SHEET_H_
