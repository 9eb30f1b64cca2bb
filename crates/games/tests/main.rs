//! The tests of the rules, in one binary.

mod checkers;
mod conformance;
mod connect6;
mod counts;
mod encodings;
mod go_agreement;
mod go_counts;
mod go_data;
mod go_playout;
mod go_record;
mod go_rules;
mod gomoku;
mod gomoku_threats;
mod goproblem;
mod hex;
mod judgement;
mod oracle_gomoku;
mod oracle_xiangqi;
mod othello;
mod othello_weights;
mod renju;
mod slow_gomoku;
mod study;
mod tactics;
mod xiangqi;
mod xiangqi_repetition;
